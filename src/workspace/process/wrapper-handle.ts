import { makeId } from '#lib';
import type { ConfinedStart } from '../contract.ts';

/** A started wrapper as the supervisor follows it, whoever is its parent. */
export interface Wrapper {
  /** Among the arguments of its shells, in its receipt and in its end marker. */
  readonly nonce: string;
  /** Process id of the wrapper, which leads its session; null when it ended before it could tell. */
  readonly ready: Promise<number | null>;
  /** Its part that keeps the output is deaf to signals; only then a go line is safe. Also when it ended before. */
  readonly up: Promise<void>;
  /** It told the exit code of the command. */
  readonly told: Promise<void>;
  /** Nobody can tell the exit code any more. */
  readonly closed: Promise<void>;
  readonly exited: Promise<void>;
  status(): number | null;
  /** Why it left without running the command, where it said so. */
  left(): number | null;
  /** Undefined while it runs; `code` is null when a signal ended it. */
  exit(): { readonly code: number | null } | undefined;
  go(): void;
  /** Lets it end without running anything. */
  leave(): Promise<void>;
  /** It is followed no longer and must not keep this process from ending. */
  release(): void;
}

export interface WrapperWords {
  readonly attemptId: string;
  readonly actionId: string;
  readonly cwd: string;
  readonly folder: string;
  readonly bootId: string;
  /** Cap of the spool in blocks of 512 bytes. */
  readonly blocks: number;
  readonly cat: string;
  readonly shell: string;
  /** What the command is confined with; its options lie in the folder. Null: it runs as it is. */
  readonly confined: ConfinedStart | null;
  readonly command: string;
}

export const makeNonce = (): string => makeId((bytes) => crypto.getRandomValues(bytes));
