/** What goes wrong with one request. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly headers?: { readonly [name: string]: string };
    }
  /** A whole body instead of the protocol's own error object. */
  | { readonly kind: 'raw'; readonly status: number; readonly body: string }
  /** An error event after so many frames. */
  | { readonly kind: 'error-event'; readonly afterFrames: number; readonly message?: string }
  /** The socket breaks after this share of the bytes. */
  | { readonly kind: 'cut'; readonly share: number }
  /** The stream ends cleanly, without an end marker, after this share of the other frames. */
  | { readonly kind: 'eof'; readonly share: number }
  /** The argument text of the last call stops after so many characters; the stream itself is whole. */
  | { readonly kind: 'arguments-cut'; readonly keep: number }
  | { readonly kind: 'slow'; readonly chunkDelayMs: number }
  /** Nothing more after so many frames, or only keep-alive comments. */
  | { readonly kind: 'silent'; readonly afterFrames: number; readonly comments?: boolean }
  /** An event whose data is no JSON, after so many frames. */
  | { readonly kind: 'bad-event'; readonly afterFrames: number }
  /** An event of a type that no client knows yet, after so many frames. */
  | { readonly kind: 'new-event'; readonly afterFrames: number }
  /** The connection stays open after the end marker. */
  | { readonly kind: 'hold-open' };
