import { fineState, fold, type Limits } from '#kernel';
import { counted, type Result } from '#lib';
import { oneLine, openUnknowns, pendingApprovals, plain, standingOf } from '#surfaces/view';
import { CommandError } from '../command-error.ts';
import type { CliDeps, Problem } from '../contract.ts';
import { sessionIdOf } from '../options/values.ts';
import type { Printer } from '../output/printer.ts';

interface Context {
  readonly deps: CliDeps;
  readonly printer: Printer;
}

function must<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw new CommandError(result.error.exitCode, result.error.message);
  return result.value;
}

export async function showSession(session: string, { deps, printer }: Context): Promise<number> {
  const record = must(await deps.read(sessionIdOf(session)));
  const mask = await deps.secretMask();
  const facts = record.facts.map((fact) => mask.json(fact));
  const state = fold(facts);
  const standing = standingOf(state);
  const line = (name: string, value: string) => printer.out(`${name.padEnd(11)} ${plain(value)}`);
  line('session', record.sessionId);
  line('workspace', state.workspace ?? '');
  line('goal', oneLine(state.turn?.goal ?? '', 200));
  line('model', state.settings.model ?? '');
  line('mode', state.settings.mode);
  for (const check of state.settings.checks)
    line('check', check.counts ? check.command : `${check.command} (by exit code)`);
  for (const rule of state.settings.allow) line('allow', rule);
  line('limits', limitsText(state.settings.limits));
  const { price } = state.settings;
  if (price !== null) line('price', `${price.input}/${price.output} USD per million tokens`);
  line('facts', `${state.seq} in ${record.folder}`);
  line('rounds', `${state.totals.rounds}, ${state.totals.inputTokens} tokens in, ${state.totals.outputTokens} out`);
  const lost = record.facts.filter(({ type }) => type === 'record.lost').length;
  if (lost > 0) line('lost', `${counted(lost, 'fact')}, taken by damage and not brought back by the repair`);
  if (state.workspace === null && lost > 0) {
    line(
      'state',
      `the record of how it began is lost; belay resume ${record.sessionId} --cwd DIR "…" goes on in a folder`,
    );
  } else if (state.turn === null && state.turns === 0 && lost > 0) {
    line('state', `the record of its goal is lost; belay resume ${record.sessionId} "…" goes on with what you say`);
  } else if (state.turn === null && state.turns === 0) {
    const command = state.workspace === null ? `run --session ${record.sessionId}` : `resume ${record.sessionId}`;
    line(
      'state',
      `not begun: it was stopped before its first turn, or is being started; belay ${command} "…" begins it`,
    );
  } else {
    const held =
      state.executor === null
        ? `${standing.reason}, exit code ${standing.exitCode}`
        : 'at work, unless its process was killed';
    line('state', `${state.turn?.phase ?? 'no turn'}, ${fineState(state)} (${held})`);
    if (state.executor === null && standing.message !== '') line('', oneLine(standing.message, 200));
  }
  for (const todo of state.todos) line('todo', `${todo.status}: ${todo.content}`);
  for (const item of pendingApprovals(state, facts)) line('approval', `${item.actionId}  ${item.title}`);
  for (const item of openUnknowns(state, facts)) {
    line('unknown', `${item.actionId}  ${item.title}`);
    for (const told of item.evidence.trimEnd().split('\n')) line('', told);
    if (item.settling !== null) line('evidence', `${item.settling.probe}: ${item.settling.observed}`);
    line('answer', `belay settle ${record.sessionId} ${item.actionId} applied|not-applied|unknown`);
  }
  if (record.torn !== null) printer.note(`belay: ${record.torn}`);
  if (record.damage !== null) throw new CommandError(56, record.damage);
  return 0;
}

/** As the options that set them. */
function limitsText({ maxRounds, maxToolCalls, maxCostUsd, maxElapsedMs }: Limits): string {
  const given = [
    ['--max-rounds', maxRounds],
    ['--max-tool-calls', maxToolCalls],
    ['--max-cost', maxCostUsd],
    ['--max-time', maxElapsedMs === undefined ? undefined : `${maxElapsedMs / 1000}s`],
  ] as const;
  return given.flatMap(([option, value]) => (value === undefined ? [] : [`${option} ${value}`])).join(' ');
}

export async function removeSessions(sessions: readonly string[], { deps, printer }: Context): Promise<number> {
  for (const session of sessions) {
    const notices = must(await deps.remove(sessionIdOf(session)));
    for (const notice of notices) printer.note(`belay: ${plain(notice)}`);
    printer.out(`removed ${session}`);
  }
  return 0;
}

/** Exit code 56 where what was copied is damaged. */
export async function exportSession(session: string, file: string, { deps, printer }: Context): Promise<number> {
  const isWhole = must(await deps.exportTo(sessionIdOf(session), file));
  printer.out(`exported ${session} to ${plain(file)}`);
  if (isWhole) return 0;
  printer.note(`belay: the session is damaged, and so is the copy: belay sessions verify ${session}`);
  return 56;
}

export async function importSession(folder: string, { deps, printer }: Context): Promise<number> {
  const sessionId = must(await deps.importFrom(folder));
  printer.out(`imported ${sessionId}`);
  return 0;
}

/** Exit code 56 where anything is wrong; each fault is a line. */
export async function verifySession(session: string, { deps, printer }: Context): Promise<number> {
  const { facts, faults } = must(await deps.verify(sessionIdOf(session)));
  for (const fault of faults) printer.out(plain(fault));
  const good = counted(facts, 'fact');
  const told = `${good} ${facts === 1 ? 'is' : 'are'} good, ${counted(faults.length, 'fault')}`;
  printer.out(faults.length === 0 ? `whole: ${good}` : told);
  return faults.length === 0 ? 0 : 56;
}

/** Exit code 56 where something stays wrong that nothing can bring back. */
export async function repairSession(session: string, { deps, printer }: Context): Promise<number> {
  const { done, left } = must(await deps.repair(sessionIdOf(session)));
  for (const line of done) printer.out(plain(line));
  for (const line of left) printer.out(plain(`cannot be mended: ${line}`));
  if (done.length + left.length === 0) printer.out('nothing is damaged');
  return left.length === 0 ? 0 : 56;
}
