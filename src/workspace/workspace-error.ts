import type { WorkspaceErrorCode } from './contract.ts';

/** A request that the workspace cannot serve. Branch on `code`; the message is for people. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'WorkspaceError';
    this.code = code;
  }
}
