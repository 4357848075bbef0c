/** What wrappers and their launcher tell on the status pipe, by nonce: ready, up, left, status and exit lines. */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Wrapper } from './wrapper-handle.ts';

export type Told = Pick<Wrapper, 'ready' | 'up' | 'told' | 'closed' | 'exited' | 'status' | 'left' | 'exit'>;

/** A command that found the status pipe could flood it. */
const LINE_BYTES_MAX = 200;
const LINE = /^(ready|up|left|status|exit) (\S+) (\d+)$/;

interface Following extends Told {
  take(word: string, value: number): void;
  /** The process that was started here is gone. */
  gone(code: number | null): void;
  /** The pipe is closed on all other ends. */
  silent(): void;
}

export interface StatusLines {
  follow(nonce: string): Told;
  forget(nonce: string): void;
  isGone(): boolean;
}

/** Listens to the status pipe (descriptor 3) of a wrapper, or of a launcher and all its wrappers. */
export function statusLines(child: ChildProcess): StatusLines {
  const followed = new Map<string, Following>();
  let isGone = false;
  let text = '';
  const pipe = child.stdio[3] as Readable;
  pipe.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const lines = text.split('\n');
    text = (lines.pop() ?? '').slice(0, LINE_BYTES_MAX);
    for (const line of lines) {
      const [, word, nonce, value] = LINE.exec(line) ?? [];
      if (word !== undefined && nonce !== undefined) followed.get(nonce)?.take(word, Number(value));
    }
  });
  pipe.on('error', () => undefined);
  pipe.on('close', () => {
    for (const one of followed.values()) one.silent();
  });
  const gone = (code: number | null): void => {
    isGone = true;
    for (const one of followed.values()) one.gone(code);
  };
  child.on('exit', gone);
  child.on('error', () => gone(null));
  return {
    follow(nonce) {
      const one = following();
      followed.set(nonce, one);
      return one;
    },
    forget: (nonce) => void followed.delete(nonce),
    isGone: () => isGone,
  };
}

function following(): Following {
  const ready = Promise.withResolvers<number | null>();
  const up = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let status: number | null = null;
  let left: number | null = null;
  let exit: { readonly code: number | null } | undefined;
  const gone = (code: number | null): void => {
    exit ??= { code };
    ready.resolve(null);
    up.resolve();
    exited.resolve();
  };
  return {
    ready: ready.promise,
    up: up.promise,
    told: told.promise,
    closed: closed.promise,
    exited: exited.promise,
    status: () => status,
    left: () => left,
    exit: () => exit,
    gone,
    silent: () => {
      up.resolve();
      closed.resolve();
    },
    take(word, value) {
      if (word === 'ready') ready.resolve(value);
      else if (word === 'up') up.resolve();
      else if (word === 'left') left ??= value;
      else if (word === 'status') {
        status ??= value;
        told.resolve();
      } else {
        // A shell tells the death of its child by a signal as a code above 128. Otherwise both parts of the wrapper
        // have ended, and nobody is left who could tell a status.
        gone(value > 128 ? null : value);
        if (value <= 128) closed.resolve();
      }
    },
  };
}
