/**
 * What must happen now: the closed vocabulary of `decide`.
 *
 * | next | performed by the driver as |
 * |---|---|
 * | callModel  | ask the planner: a model request, or a list of steps |
 * | commit     | fire `after_plan`, make the draft the active plan |
 * | work       | a step without a tool |
 * | authorize  | one step's hooks, policy and verdict |
 * | handOver   | the allowed calls go out together: `awaiting_tool` |
 * | execute    | durable start, effect, receipt |
 * | reconcile  | settle attempts that another executor left behind |
 * | reflect    | fire `after_tool_call`, enter `reflecting` |
 * | advance    | leave the finished steps: on to the next step, or to planning |
 * | verify     | scan, judge the claim, record the verdict |
 * | repair     | an action made by the runtime: run the declared checks |
 * | signal     | record that the work goes in circles |
 * | backoff    | wait before the next try |
 * | suspend    | pause the turn with a reason |
 * | wind down  | close what is open after a cancel |
 * | resume     | go back over the resume edge |
 * | complete   | end the turn |
 *
 * Pulls return control to the caller: awaitTool, awaitApproval, pause, handoff, finish.
 */
import type { Trip } from './budget.ts';
import type { BodyOf, Phase } from './facts.ts';
import type { ProgressFinding } from './progress.ts';

export type Perform =
  | { readonly kind: 'callModel' }
  | { readonly kind: 'commit' }
  | { readonly kind: 'work'; readonly stepId: string }
  | { readonly kind: 'authorize'; readonly stepId: string; readonly forbidden: boolean }
  | { readonly kind: 'handOver'; readonly actionIds: readonly string[] }
  | { readonly kind: 'execute'; readonly actionIds: readonly string[] }
  | { readonly kind: 'reconcile'; readonly actionIds: readonly string[] }
  | { readonly kind: 'reflect' }
  | { readonly kind: 'advance'; readonly to: 'executing' | 'planning' }
  | { readonly kind: 'verify' }
  | { readonly kind: 'repair' }
  | { readonly kind: 'signal'; readonly finding: ProgressFinding }
  | { readonly kind: 'backoff'; readonly failures: number; readonly retryAfterMs: number | null }
  | {
      readonly kind: 'suspend';
      readonly reason: string;
      readonly message: string;
      readonly next: string;
      readonly trip: Trip | null;
    }
  | { readonly kind: 'windDown' }
  | { readonly kind: 'resume'; readonly to: Phase }
  | { readonly kind: 'complete'; readonly reason: BodyOf<'session.complete'>['reason'] };

export type PullNext =
  | { readonly kind: 'awaitTool'; readonly actionIds: readonly string[] }
  | { readonly kind: 'awaitApproval'; readonly actionId: string }
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'handoff'; readonly reason: string; readonly message: string; readonly next: string }
  /** `turn` false: no turn was ever started. */
  | { readonly kind: 'finish'; readonly turn: boolean };

export type Next = Perform | PullNext;

const pulls: ReadonlySet<Next['kind']> = new Set(['awaitTool', 'awaitApproval', 'pause', 'handoff', 'finish']);
export const isPull = (next: Next): next is PullNext => pulls.has(next.kind);
