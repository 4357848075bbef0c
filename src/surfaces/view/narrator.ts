/**
 * One line per fact, for people, with the facts that caused it. A narrator remembers only what later facts refer to:
 * the last fact of each open action and request.
 */

import type { Fact, FactOf, Settling, TestCounts } from '#kernel';
import { counted } from '#lib';
import { callTitle } from './call-title.ts';
import { oneLine } from './plain-text.ts';
import { sandboxText } from './sandbox-text.ts';

export interface Told {
  readonly seq: number;
  readonly type: Fact['type'];
  readonly text: string;
  /** Sequence numbers of the facts that led to this one. */
  readonly causes: readonly number[];
}

const textMax = 160;

export function createNarrator(): (fact: Fact) => Told {
  const titles = new Map<string, string>();
  const actions = new Map<string, number>();
  const requests = new Map<string, number>();
  let last: { response: number; claim: number; pause: number; start: number } = {
    response: 0,
    claim: 0,
    pause: 0,
    start: 0,
  };

  const title = (actionId: string) => titles.get(actionId) ?? `call_${actionId}`;

  return (fact) => {
    const causes = causesOf(fact, actions, requests, last);
    if (fact.type === 'action.intended') titles.set(fact.actionId, callTitle(fact.tool, fact.args));
    const text = oneLine(textOf(fact, title), textMax);
    if (fact.type === 'model.request') requests.set(fact.requestId, fact.seq);
    const isStep = fact.type === 'step.start' || fact.type === 'step.end';
    if (!isStep && 'actionId' in fact && fact.actionId !== undefined) actions.set(fact.actionId, fact.seq);
    if (fact.type === 'model.response') last = { ...last, response: fact.seq };
    if (fact.type === 'session.start') last = { ...last, start: fact.seq };
    if (fact.type === 'completion.verdict') last = { ...last, claim: fact.seq };
    if (fact.type === 'session.pause') last = { ...last, pause: fact.seq };
    return { seq: fact.seq, type: fact.type, text, causes: causes.filter((seq) => seq > 0 && seq < fact.seq) };
  };
}

function causesOf(
  fact: Fact,
  actions: ReadonlyMap<string, number>,
  requests: ReadonlyMap<string, number>,
  last: { readonly response: number; readonly claim: number; readonly pause: number; readonly start: number },
): number[] {
  switch (fact.type) {
    case 'model.response':
    case 'model.failed':
      return [requests.get(fact.requestId ?? '') ?? 0];
    case 'action.intended':
      return [fact.origin === 'model' ? last.response : last.claim];
    case 'evidence.recorded':
      return [actions.get(fact.actionId) ?? 0];
    case 'completion.verdict':
      return [last.response, ...(fact.evidence ?? [])];
    case 'session.complete':
      return [last.claim];
    case 'session.resume':
      return [last.pause];
    case 'plan.draft':
      return [last.start];
    default:
      return 'actionId' in fact && fact.actionId !== undefined ? [actions.get(fact.actionId) ?? 0] : [];
  }
}

function textOf(fact: Fact, title: (actionId: string) => string): string {
  switch (fact.type) {
    case 'session.created':
      return `session ${fact.sessionId} in ${fact.workspace}`;
    case 'executor.attached':
      return `process ${fact.pid} drives the session`;
    case 'executor.detached':
      return fact.reason;
    case 'settings.changed':
      return settingsText(fact);
    case 'sandbox.probed':
      return sandboxText(fact);
    case 'input.received':
      return fact.text;
    case 'cancel.requested':
      return `by ${fact.by}`;
    case 'session.start':
      return fact.goal;
    case 'plan.draft':
    case 'plan.commit':
      return `${counted(fact.steps.length, 'step')}: ${fact.steps.map((step) => step.description).join(' · ')}`;
    case 'phase.enter':
      return fact.reason === undefined ? fact.to : `${fact.to}: ${fact.reason}`;
    case 'model.request':
      return `${fact.model}, ${counted(fact.messages, 'message')}, ${fact.bytes} bytes`;
    case 'model.response':
      return responseText(fact);
    case 'model.failed':
      return `${fact.failure.kind}: ${fact.failure.message}`;
    case 'backoff.ended':
      return `waited ${fact.waitedMs} ms`;
    case 'action.intended':
      return `${title(fact.actionId)}${fact.origin === 'model' ? '' : ` (by ${fact.origin})`}${
        fact.problem === undefined ? '' : `: ${fact.problem.message}`
      }`;
    case 'step.start':
      return fact.description ?? fact.stepId;
    case 'step.end':
      return fact.outcome;
    case 'hook.decided':
      return `${fact.topic}: ${fact.decision}${fact.reason === undefined ? '' : `, ${fact.reason}`}`;
    case 'hook.failed':
      return `${fact.topic}: ${fact.message}`;
    case 'hook.started':
      return `${fact.hook}: ${fact.command}`;
    case 'hook.ended':
      return `${fact.status}${fact.exitCode === undefined ? '' : `, exit ${fact.exitCode}`}`;
    case 'tools.found':
      return fact.names.join(', ');
    case 'hook.said':
      return `${fact.hook}: ${fact.text}`;
    case 'approval.requested':
      return `${title(fact.actionId)}: ${fact.reason}`;
    case 'approval.resolved':
      return `${fact.verdict} ${title(fact.actionId)}, by ${fact.by}${fact.note === undefined ? '' : `: ${fact.note}`}`;
    case 'action.verdict':
      return `${fact.verdict} ${title(fact.actionId)}, by ${fact.by}${fact.reason === undefined ? '' : `: ${fact.reason}`}`;
    case 'attempt.start':
      return `${title(fact.actionId)} (${fact.effect})`;
    case 'attempt.revoked':
      return `${title(fact.actionId)} had not ${fact.settling?.verdict === 'not-applied' ? 'taken effect' : 'started'}${settlingText(fact.settling)}`;
    case 'attempt.outcome':
      return outcomeText(fact, title(fact.actionId));
    case 'task.started':
      return `${title(fact.actionId)} goes on in the background`;
    case 'task.ended':
      return `${title(fact.actionId)}: ${fact.status}${fact.exitCode === undefined ? '' : `, exit ${fact.exitCode}`}${
        fact.reason === undefined ? '' : `, ${fact.reason}`
      }`;
    case 'unknown.settled':
      return `${title(fact.actionId)}: ${fact.answer}, by ${fact.by}${fact.note === undefined ? '' : `: ${fact.note}`}`;
    case 'workspace.scanned':
      return `revision ${fact.revision.slice(0, 12)} (${fact.at})${changedText(fact.changed ?? [])}`;
    case 'workspace.rebased':
      return `${fact.fork === undefined ? 'changed from outside' : `forked at fact ${fact.fork.at}, ${fact.fork.worktree ? 'in a new worktree' : 'in the same workspace'}; differing`}:${changedText(fact.changed) || ' nothing known'}`;
    case 'boot.changed':
      return `the machine was restarted${fact.unconfirmed.length === 0 ? '' : `; not confirmed: ${fact.unconfirmed.map(title).join(', ')}`}`;
    case 'record.lost':
      return `damaged at byte ${fact.offset}; what stood here is lost`;
    case 'ledger.repaired':
      return `${counted(fact.lost, 'fact')} lost, ${counted(fact.later, 'later one')} kept; the file as it was: ${fact.kept}`;
    case 'ledger.imported':
      return `${counted(fact.facts, 'fact')} from elsewhere`;
    case 'checkpoint.taken':
      return `revision ${fact.revision.slice(0, 12)}${fact.uncovered === undefined ? '' : `, without the content of${changedText(fact.uncovered)}`}`;
    case 'undo.planned':
      return `${fact.kind} of ${scopeNames[fact.scope]} to fact ${fact.toSeq}${changedText(fact.files.map((file) => file.path))}`;
    case 'chat.rewound':
      return `the conversation is as it was at fact ${fact.toSeq}`;
    case 'undo.done':
      return `restored:${changedText(fact.restored) || ' nothing'}${fact.refused.length === 0 ? '' : `; left alone:${changedText(fact.refused.map((file) => file.path))}`}${(fact.notes ?? []).map(({ path, why }) => `; ${path}: ${why}`).join('')}`;
    case 'evidence.recorded':
      return `${fact.passed ? 'passed' : 'not passed'}: ${fact.check}, exit ${fact.exitCode}${countsText(fact.counts)} at revision ${fact.revision.slice(0, 12)}${
        fact.reason === undefined ? '' : ` (${fact.reason})`
      }`;
    case 'todo.updated':
      return fact.cleared === true
        ? 'all done'
        : fact.todos.map((todo) => `${marks[todo.status]} ${todo.content}`).join('  ');
    case 'mode.changed':
      return `${fact.mode}, by ${fact.by}`;
    case 'completion.verdict':
      return `${fact.accepted ? 'accepted' : 'not accepted'}: ${fact.reason}`;
    case 'progress.signal':
      return `${fact.signal} (${fact.count}): ${fact.detail}`;
    case 'budget.warn':
      return `${fact.limit}: ${fact.used} of ${fact.max}`;
    case 'session.pause':
      return `${fact.reason}${fact.message === undefined ? '' : `: ${fact.message}`}`;
    case 'session.resume':
      return fact.reason === undefined ? fact.to : `${fact.to}: ${fact.reason}`;
    case 'session.complete':
      return fact.reason;
    default:
      return '';
  }
}

const scopeNames = { files: 'files', chat: 'the conversation', both: 'files and conversation' };

const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };

function settingsText(fact: FactOf<'settings.changed'>): string {
  const { type: _type, seq: _seq, ts: _ts, by, instructions, ...rest } = fact;
  const told = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  if (instructions !== undefined) told.push(`instructions of ${instructions.length} characters`);
  return `${told.join(', ')}, by ${by}`;
}

function responseText(fact: FactOf<'model.response'>): string {
  const calls = fact.parts.filter((part) => part.kind === 'call').length;
  const text = fact.parts.flatMap((part) => (part.kind === 'text' ? [part.text ?? ''] : [])).join(' ');
  const told = calls === 0 ? 'answer' : `${calls} ${calls === 1 ? 'call' : 'calls'}`;
  return text.trim() === '' ? told : `${told}: ${text}`;
}

function outcomeText(fact: FactOf<'attempt.outcome'>, title: string): string {
  const exit = fact.exitCode === undefined ? '' : `, exit ${fact.exitCode}`;
  const how = fact.provenance === undefined || fact.provenance === 'live' ? '' : ` (${fact.provenance})`;
  const why = fact.failure === undefined ? '' : `: ${fact.failure.message}`;
  return `${title}: ${fact.status}${exit}${how}${why}${settlingText(fact.settling)}`;
}

const settlingText = (settling: Settling | undefined) =>
  settling === undefined ? '' : ` [${settling.probe}: ${settling.observed}]`;

function changedText(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  return ` ${paths.slice(0, 5).join(', ')}${more}`;
}

const countsText = (counts: TestCounts | undefined) =>
  counts === undefined
    ? ''
    : `, ${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`;
