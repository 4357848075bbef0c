import type { IncomingMessage } from 'node:http';

export interface BodyLimits {
  readonly bytesMax: number;
  onBytes(): void;
  /** Called where the body ends too early or is too large; gives the error that readers see. */
  onCut(message: string): Error;
}

/** Chunks that may wait unread before the socket is paused. */
const CHUNKS_WAITING_MAX = 64;

/** The body of a response as a web stream, with back pressure. Cancelling it destroys the socket. */
export function bodyStream(incoming: IncomingMessage, limits: BodyLimits): ReadableStream<Uint8Array> {
  let open = true;
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cut = (message: string) => {
          if (!open) return;
          open = false;
          controller.error(limits.onCut(message));
          incoming.destroy();
        };
        incoming.on('data', (chunk: Buffer) => {
          if (!open) return;
          limits.onBytes();
          bytes += chunk.length;
          if (bytes > limits.bytesMax) return cut(`the response is larger than ${limits.bytesMax} bytes`);
          controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length));
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
        });
        incoming.on('end', () => {
          if (!open || !incoming.complete) return;
          open = false;
          controller.close();
        });
        incoming.on('error', (error) => cut(`the connection broke: ${error.message}`));
        incoming.on('close', () => cut('the connection broke before the response ended'));
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        open = false;
        incoming.destroy();
      },
    },
    { highWaterMark: CHUNKS_WAITING_MAX },
  );
}
