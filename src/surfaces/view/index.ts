export { callTitle } from './call-title.ts';
export { type ExitCode, exitCodes, precedence, worstOf } from './exit-codes.ts';
export { createNarrator, type Told } from './narrator.ts';
export { type Mask, openUnknowns, type PendingApproval, pendingApprovals, type UnknownOutcome } from './open-items.ts';
export { oneLine, plain, plainName, visible } from './plain-text.ts';
export { type ResultObject, resultObject } from './result-object.ts';
export { sandboxSeen, sandboxText } from './sandbox-text.ts';
export { type Ending, type Standing, standingOf } from './standing-of.ts';
