/** The two ways to get a session: a new ledger, or one that is there. */
import { type FactBody, fold, isAlone, type State, seenFiles } from '#kernel';
import { fileSystemOf, type WritableLedger } from '#ledger';
import { err, ok, type Result } from '#lib';
import { ruleWarning } from '#permission';
import type { KnownSession, NewSession, OpenedSession, Problem, SettingsChange, UndoReport } from '#surfaces/cli';
import { passedVariables } from '#workspace';
import { readInstructions } from '../instructions.ts';
import { newId } from '../new-id.ts';
import { effectsSince } from '../ports/effects-since.ts';
import { tidyExec } from '../ports/exec-port.ts';
import { waitingPaths, writtenEarlier } from '../ports/guarded-paths.ts';
import { type Points, worldPort } from '../ports/world-port.ts';
import { attempt } from '../problem.ts';
import { recordedTypes, sandboxOf } from '../sandbox/session-sandbox.ts';
import { type RulesInForce, rulesInForce } from '../trust/rules-in-force.ts';
import { version } from '../version.ts';
import { assemble, folderOf, pointNow, type Surroundings } from './assemble.ts';
import { bootChangeOf } from './boot-change.ts';
import { createFirstReading, type FirstReading } from './first-reading.ts';
import { recallState } from './kept-state.ts';
import { leftoverNotices } from './leftovers.ts';
import { beginningAnew, createInPlace, halfFork } from './never-began.ts';
import { absoluteModel, type ChosenModel, openModelFor } from './open-model-for.ts';
import { openWorkspaceAt, type Place } from './open-workspace-at.ts';
import { changedNotice, rebasedSince } from './rebase.ts';
import { notHashed, slowScanTo } from './slow-scan.ts';

/** Makes a new session; its first facts (identity, settings, the workspace as found) are written at once. */
export async function createNew(request: NewSession, around: Surroundings): Promise<Result<OpenedSession, Problem>> {
  const { store, env, cwd } = around;
  const limits = request.settings.limits ?? {};
  const chosen = await openModelFor(
    request.settings.model ?? null,
    { price: request.settings.price ?? null, limits },
    env,
    cwd,
  );
  if (!chosen.ok) return chosen;
  const created = await attempt(() => createInPlace(store, request.sessionId ?? newId()), store.home);
  if (!created.ok) return unbegun(created.error);
  const ledger = created.value;
  const made = await attempt(() => begin(request, ledger, around, chosen.value), store.home);
  const opened = made.ok ? made.value : made;
  // Nothing was promised yet: a session that could not begin leaves nothing behind.
  if (!opened.ok) {
    const removed = await attempt(() => ledger.discard());
    return removed.ok ? unbegun(opened.error) : opened;
  }
  return opened;
}

/** Where the data folder is at fault, the user must know that nothing is left to go on with. */
const unbegun = (error: Problem): Result<never, Problem> =>
  err(error.exitCode === 56 ? { ...error, message: `no session was begun: ${error.message}` } : error);

async function begin(
  request: NewSession,
  ledger: WritableLedger,
  around: Surroundings,
  chosen: ChosenModel,
): Promise<Result<OpenedSession, Problem>> {
  const { store, env } = around;
  const folder = folderOf(ledger);
  const placed = await openWorkspaceAt(request.cwd, folder, store.home, env, around.bootId, slowScanTo(request.say));
  if (!placed.ok) return placed;
  const { workspace, base } = placed.value;
  // While git is waited for, this program reads files and loads what the first request needs.
  const asking = new AbortController();
  const asked = workspace.revision.isDirty(AbortSignal.any([asking.signal, request.signal]));
  asked.catch(() => {});
  const rules = await rulesOf(workspace.root, around, request.requireTrust === true);
  if (!rules.ok) return rules;
  passOn(placed.value, rules.value, around);
  const [sandbox, dirty, scan, instructions, disk] = await Promise.all([
    sandboxOf({
      place: placed.value,
      rules: rules.value,
      settings: request.settings,
      facts: [],
      sessionFolder: folder,
      dataFolder: store.home,
      env,
    }),
    asked,
    workspace.revision.scan(request.signal).finally(() => patience(asking, asked)),
    readInstructions(workspace.root, env, rules.value.narrowing),
    fileSystemOf(folder),
    chosen.model.warm?.(),
  ]);
  if (!sandbox.ok) return sandbox;
  request.signal.throwIfAborted();
  await base.snapshot(scan);
  const facts: FactBody[] = [
    {
      type: 'session.created',
      sessionId: ledger.sessionId,
      workspace: workspace.root,
      version,
      fileSystem: disk.name,
    },
    settingsFact(withRules(withAbsoluteModel(request.settings, around.cwd), rules.value), instructions.text),
    {
      type: 'workspace.scanned',
      revision: scan.revision,
      tree: workspace.revision.tree(scan, []),
      at: 'start',
      ...(dirty === null ? {} : { dirty }),
    },
    { type: 'checkpoint.taken', revision: scan.revision, ref: 'base' },
    ...sandbox.value.facts,
  ];
  await ledger.append(facts);
  const notices = [
    ...rules.value.warnings,
    ...instructions.notices,
    ...sandbox.value.notices,
    ...(await Promise.all((request.settings.allow ?? []).map((rule) => ruleWarning(rule)))).filter(
      (one) => one !== null,
    ),
    ...(dirty === true ? ['the tree has uncommitted changes; they are kept apart from what this session changes'] : []),
    ...notHashed(scan),
    ...(disk.dependable ? [] : [`the data folder lies on ${disk.name}: a power loss can take back what was recorded`]),
  ];
  return ok(
    await assemble(
      ledger,
      placed.value,
      worldPort(workspace, scan, pointsOf(ledger, placed.value)),
      chosen,
      notices,
      request.signal,
      around,
      rules.value,
    ),
  );
}

/** Opens a session that is there; takes its lock, and tells what changed in its workspace meanwhile. */
export async function openKnown(request: KnownSession, around: Surroundings): Promise<Result<OpenedSession, Problem>> {
  const first = createFirstReading(recallState);
  const opened = await attempt(() => around.store.openWriter(request.sessionId, first), around.store.home);
  if (!opened.ok) return opened;
  const ledger = opened.value;
  const made = await attempt(() => goOn(request, ledger, first, around), around.store.home);
  const session = made.ok ? made.value : made;
  if (!session.ok) await ledger.close();
  return session;
}

async function goOn(
  request: KnownSession,
  ledger: WritableLedger,
  first: FirstReading,
  around: Surroundings,
): Promise<Result<OpenedSession, Problem>> {
  // Whoever stands between here and the store may have shown nothing.
  let before = fold(ledger.read(first.state().seq + 1), first.state());
  const half = halfFork(ledger.sessionId, [...ledger.find(['session.created'])][0], ledger.lastSeq);
  if (half !== null) return half;
  if (before.workspace === null) {
    const named = await beginningAnew(ledger, request.cwd, around.cwd);
    if (!named.ok) return named;
    before = fold(named.value, before);
  }
  if (before.workspace === null) throw new Error('the workspace was named just now');
  const settings = withAbsoluteModel(request.settings, around.cwd);
  const chosen = await openModelFor(
    settings.model ?? before.settings.model,
    {
      price: settings.price ?? (settings.model === undefined ? before.settings.price : null),
      limits: { ...before.settings.limits, ...settings.limits },
    },
    around.env,
    around.cwd,
  );
  const isUnset = before.settings.model === null && [...ledger.find(['record.lost'])].length > 0;
  const unset = 'the record of the options that this session began with is lost; those given now count alone';
  if (!chosen.ok) return isUnset ? err({ ...chosen.error, message: `${unset}: ${chosen.error.message}` }) : chosen;
  const folder = folderOf(ledger);
  const placed = await openWorkspaceAt(
    before.workspace,
    folder,
    around.store.home,
    around.env,
    around.bootId,
    slowScanTo(request.say),
  );
  if (!placed.ok) return placed;
  const { workspace } = placed.value;
  const rules = await rulesOf(workspace.root, around, request.requireTrust === true);
  if (!rules.ok) return rules;
  passOn(placed.value, rules.value, around);
  await tidyExec(folder, ledger);
  const bootId = await workspace.processes.bootId();
  const rebooted = bootChangeOf(ledger, bootId);
  let finished: UndoReport | null = null;
  if (before.undo.pending !== null) {
    const { finishUndoOf } = await import('./undo/undo-session.ts');
    finished = await finishUndoOf(ledger, folder, placed.value, around.store.home, around.env);
    before = fold(ledger.read(before.seq + 1), before);
  }
  const world = worldPort(workspace, null, pointsOf(ledger, placed.value, before));
  const facts: FactBody[] = [];
  const instructions = await readInstructions(workspace.root, around.env, rules.value.narrowing);
  const changed = settingsFact(settings, instructionsChange(ledger, instructions.text));
  if (Object.keys(changed).length > 2) facts.push(changed);
  // Who finished an undo has told of the restart.
  if (rebooted !== null && bootChangeOf(ledger, bootId) !== null) facts.push(rebooted);
  const rebased = await rebasedSince(before, ledger, folder, placed.value, world, rebooted !== null, request.signal);
  if (rebased !== null) facts.push(rebased);
  // A point would part what a command at work did from what it is still going to do.
  if (rebased !== null && isAlone(before)) facts.push(...(await pointNow(world)));
  const [sandbox] = await Promise.all([
    sandboxOf({
      place: placed.value,
      rules: rules.value,
      settings,
      facts: ledger.find(recordedTypes),
      sessionFolder: folder,
      dataFolder: around.store.home,
      env: around.env,
    }),
    warmed(chosen.value, around),
  ]);
  if (!sandbox.ok) return sandbox;
  facts.push(...sandbox.value.facts);
  if (facts.length > 0) await ledger.append(facts);
  const notices = [
    ...rules.value.warnings,
    ...instructions.notices,
    ...sandbox.value.notices,
    ...leftoverNotices(workspace, ledger, before),
    ...(isUnset ? [unset] : []),
    ...(ledger.torn === null
      ? []
      : [`an interrupted write of ${ledger.torn.bytes} bytes was cut and kept in ${ledger.torn.keptIn}`]),
    ...(finished === null ? [] : finishedNotices(finished)),
    ...(rebooted === null ? [] : ['the machine was restarted since the last run; checks are run anew']),
    ...(rebased === null ? [] : [changedNotice(rebased)]),
  ];
  return ok(
    await assemble(ledger, placed.value, world, chosen.value, notices, request.signal, around, rules.value, {
      state: before,
      projector: first.projector(),
    }),
  );
}

async function warmed({ model }: ChosenModel, { whileLoading }: Surroundings): Promise<void> {
  const warm = async () => model.warm?.();
  await (whileLoading === undefined ? warm() : whileLoading(warm));
}

/** How long git is waited for once everything else of the workspace was looked at: nothing hangs on its answer. */
const GIT_PATIENCE_MS = 3_000;

function patience(asking: AbortController, asked: Promise<unknown>): void {
  const timer = setTimeout(() => asking.abort(), GIT_PATIENCE_MS);
  const rest = () => clearTimeout(timer);
  asked.then(rest, rest);
}

function settingsFact(
  settings: SettingsChange,
  instructions: string | null,
): Extract<FactBody, { type: 'settings.changed' }> {
  return { type: 'settings.changed', by: 'user', ...settings, ...(instructions === null ? {} : { instructions }) };
}

const rulesOf = (root: string, { store, env, tools = [] }: Surroundings, isTrustDemanded: boolean) =>
  rulesInForce(
    root,
    store.home,
    env,
    tools.map((tool) => tool.name),
    isTrustDemanded,
  );

const passOn = (place: Place, rules: RulesInForce, { pass = [], env }: Surroundings): void =>
  place.passOn(passedVariables([...rules.pass, ...pass], env));

/** The user's files allow as the options do; the session keeps both as one list. A trusted repository declares checks. */
const withRules = (settings: SettingsChange, { allow, checks }: RulesInForce): SettingsChange => ({
  ...settings,
  ...(allow.length === 0 ? {} : { allow: [...allow, ...(settings.allow ?? [])] }),
  ...(settings.checks !== undefined || checks === null ? {} : { checks: [...checks] }),
});

const withAbsoluteModel = (settings: SettingsChange, cwd: string): SettingsChange =>
  settings.model === undefined ? settings : { ...settings, model: absoluteModel(settings.model, cwd) };

/** The instructions where they differ from the recorded ones; null where nothing is to be told. */
function instructionsChange(ledger: WritableLedger, now: string | null): string | null {
  let recorded: string | null = null;
  for (const { instructions } of ledger.find(['settings.changed'])) recorded = instructions ?? recorded;
  return now === (recorded === '' ? null : recorded) ? null : (now ?? '');
}

/** What an undo that was interrupted came to, finished on the way. */
function finishedNotices({ kind, refused, notes = [] }: UndoReport): readonly string[] {
  const left = refused.map(({ path, why }) => `left alone ${path}: ${why}`);
  return [`the ${kind} that was interrupted is finished`, ...left, ...notes.map(({ path, why }) => `${path}: ${why}`)];
}

function pointsOf(ledger: WritableLedger, { base, checkpoints, written }: Place, known?: State): Points {
  let earlier: ReadonlySet<string> | null = null;
  return {
    base,
    checkpoints,
    guarded: () => waitingPaths(ledger, checkpoints),
    written() {
      earlier ??= known === undefined ? new Set() : writtenEarlier(ledger, checkpoints, seenFiles(known));
      return [...earlier, ...written];
    },
    effectsSince: effectsSince(ledger),
  };
}
