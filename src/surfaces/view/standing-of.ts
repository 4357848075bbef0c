/** How a session stands, as an exit code with its reason: the same for every surface. */
import { type FailureKind, type State, splitReason } from '#kernel';
import { worstOf } from './exit-codes.ts';

export interface Standing {
  readonly exitCode: number;
  /** One word or `word:detail`, stable for programs. */
  readonly reason: string;
  /** One sentence for people; empty where nothing is to be said. */
  readonly message: string;
  readonly next: string;
  /** true: the gate accepted on evidence. null: no check is declared. false: neither. */
  readonly verified: boolean | null;
  readonly text: string;
}

/** What the folded state cannot know: how this process ended. */
export interface Ending {
  readonly signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  /** A failure that has its own exit code, such as a store that cannot be written. */
  readonly problem?: { readonly exitCode: number; readonly message: string };
}

export function standingOf(state: State, ending: Ending = {}): Standing {
  const turn = state.turn;
  const codes = [...signalCodes(ending), ...(ending.problem ? [ending.problem.exitCode] : []), ...codesOf(state)];
  const exitCode = worstOf(codes);
  const verdict = turn?.claim.verdict ?? null;
  const accepted = verdict?.accepted === true && turn?.outcome === 'goal_met';
  return {
    exitCode,
    reason: reasonOf(state, ending, exitCode),
    message: ending.problem?.message ?? turn?.pause?.message ?? '',
    next: turn?.pause?.next ?? '',
    verified: accepted && verdict.verified === true ? true : state.settings.checks.length === 0 ? null : false,
    text: turn?.finalText ?? '',
  };
}

const signalCodes = (ending: Ending): number[] =>
  ending.signal === undefined ? [] : [ending.signal === 'SIGTERM' || ending.signal === 'SIGHUP' ? 143 : 130];

function codesOf(state: State): number[] {
  const codes: number[] = [];
  const turn = state.turn;
  if (state.unknowns.some((unknown) => unknown.answer === null)) codes.push(11);
  if (turn === null) return [...codes, 1];
  if (turn.outcome === 'goal_met') return codes;
  if (turn.outcome !== null) return [...codes, isRefused(state) ? 13 : 1];
  if (turn.open.some((action) => action.status === 'asked')) codes.push(10);
  if (isRefused(state)) codes.push(13);
  codes.push(turn.pause === null ? 1 : pauseCode(turn.pause.reason));
  return codes;
}

/** A check is declared and the last claim of being done was not accepted. */
function isRefused(state: State): boolean {
  if (state.settings.checks.length === 0) return false;
  return state.turn?.outcome === 'no_plan' || state.turn?.claim.verdict?.accepted === false;
}

function pauseCode(reason: string): number {
  const [kind, detail] = splitReason(reason);
  switch (kind) {
    case 'approval':
      return 10;
    case 'unknown':
      return 11;
    case 'budget_exceeded':
      return 53;
    case 'handoff':
      return detail === 'unverified' ? 13 : 12;
    case 'failure':
      return failureCodes[detail as FailureKind] ?? 1;
    case 'interrupted':
    case 'cancelled':
    case 'hook_error':
    case 'hook_abort':
      return 1;
    default:
      // A reason of a hook's own: it asked for a person.
      return 10;
  }
}

const failureCodes: { readonly [K in FailureKind]?: number } = {
  auth: 41,
  quota: 57,
  transient: 57,
  timeout: 57,
  incomplete: 57,
  overflow: 57,
  invalid_request: 57,
  store: 56,
  tool: 54,
};

function reasonOf(state: State, ending: Ending, exitCode: number): string {
  const turn = state.turn;
  if (ending.signal !== undefined) return `signal:${ending.signal}`;
  if (exitCode === 56) return 'store';
  if (turn?.outcome) return turn.outcome;
  if (exitCode === 13) return 'unverified';
  return turn?.pause?.reason ?? (turn === null ? 'no_turn' : 'interrupted');
}
