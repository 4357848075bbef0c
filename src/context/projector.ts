/**
 * From facts to what a model is shown. What holds:
 *
 *  1. Pure: the same facts give the same request. The projector only remembers how far it has folded.
 *  2. Valid after every prefix of every ledger: it starts with the user, roles alternate, and each call is followed by
 *     exactly one result, in the order of calling, under an id that we made.
 *  3. Append-only: what one request carried is carried, unchanged, by every later one. A fact that arrives while the
 *     model is answering comes after that answer.
 *  4. A failed request leaves no trace, except words that the user saw before interrupting, and files that a provider
 *     refused: those are left out from then on, also where earlier requests carried them.
 *  5. One more round costs the facts of that round.
 */
import type { Fact, FactOf, Json, Message, MessagePart, ModelRequest, ToolDefinition } from '#kernel';
import { lostCall, ofOutcome, ofProblem, ofVerdict, openCall, type ResultText } from './closing-text.ts';
import { belay, noteOf, settingsNote, startModeNote } from './notes.ts';
import { createRefusedFiles } from './refused-files.ts';
import { shownTools } from './shown-tools.ts';
import { type PromptSettings, systemPrompt } from './system-prompt.ts';

export interface Projector {
  /** Number of the last folded fact. */
  readonly seq: number;
  /** Folds facts in order; those already folded are skipped. */
  fold(facts: Iterable<Fact>): void;
  /** Tools that requests show from now on, and nothing before: facts may be folded before the tools are known. */
  offer(tools: readonly ToolDefinition[]): void;
  /** The request that belongs to the facts folded so far. */
  request(): ModelRequest;
}

/** An answer of the model whose calls may still be running. */
interface Round {
  readonly parts: FactOf<'model.response'>['parts'];
  readonly actions: Map<string, Action>;
  /** Damage took facts behind the answer. */
  hasLosses: boolean;
}
interface Action {
  readonly tool: string;
  readonly args: Json;
  /** What a hook changed; told with the result. */
  rewritten: string | null;
  approvalNote: string | null;
  result: ResultText | null;
}

const goOn = belay('Go on.');
const noGoal = belay('The user gave no goal.');
const lostGoal = belay('The record of what the user asked for was lost.');

export function createProjector(tools: readonly ToolDefinition[] = []): Projector {
  let seq = 0;
  const shown = shownTools();
  shown.offer(tools);
  /** Said for good: what a request has carried. */
  const said: Message[] = [];
  let round: Round | null = null;
  /** Not yet carried by a request. */
  let notes: string[] = [];
  let system: string | null = null;
  let settings: PromptSettings = { workspace: '', checks: [], mode: 'default', instructions: null };
  /** Calls that stand in no answer, told as notes: of the runtime itself (a check that the gate ran), or of a lost answer. */
  const own = new Map<string, string>();
  let hasLosses = false;
  const first = () => (hasLosses ? lostGoal : noGoal);
  const told = new Set<string>();
  const refused = createRefusedFiles();

  function fold(fact: Fact): void {
    switch (fact.type) {
      case 'session.created':
        settings = { ...settings, workspace: fact.workspace };
        return;
      case 'settings.changed':
        changeSettings(fact);
        return;
      case 'mode.changed':
        settings = { ...settings, mode: fact.mode };
        break;
      case 'session.start':
        note(fact.goal);
        if (system === null) {
          system = systemPrompt(settings);
          note(startModeNote(settings.mode));
        }
        return;
      case 'model.request':
        carry();
        return;
      case 'model.response':
        refused.answered(said);
        carryAnswer();
        round = { parts: fact.parts, actions: new Map(), hasLosses: false };
        return;
      case 'model.failed':
        refused.failed(fact);
        if (fact.failure.kind === 'cancelled' && fact.text !== undefined && fact.text.trim() !== '') {
          carryAnswer();
          round = { parts: [{ kind: 'text', text: fact.text }], actions: new Map(), hasLosses: false };
          notes.push(belay('Your answer was interrupted here.'));
        }
        return;
      case 'action.intended':
        intend(fact);
        return;
      case 'approval.resolved': {
        const action = round?.actions.get(fact.actionId);
        if (action) action.approvalNote = fact.note ?? null;
        return;
      }
      case 'hook.decided': {
        const action = fact.actionId === undefined ? undefined : round?.actions.get(fact.actionId);
        if (action && fact.decision === 'rewrite' && fact.args !== undefined) {
          action.rewritten = JSON.stringify(fact.args);
        }
        break;
      }
      case 'action.verdict': {
        const action = round?.actions.get(fact.actionId);
        close(fact.actionId, ofVerdict(fact, action?.approvalNote ?? null));
        return;
      }
      case 'attempt.outcome':
        close(fact.actionId, ofOutcome(fact));
        return;
      case 'record.lost':
        hasLosses = true;
        if (round !== null) round.hasLosses = true;
        return;
    }
    note(noteOf(fact));
  }

  /** Blank words are left out: providers refuse a message without content. */
  function note(text: string | null): void {
    if (text !== null && text.trim() !== '') notes.push(text);
  }

  function changeSettings(fact: FactOf<'settings.changed'>): void {
    settings = {
      ...settings,
      ...(fact.checks === undefined ? {} : { checks: fact.checks }),
      ...(fact.mode === undefined ? {} : { mode: fact.mode }),
      ...(fact.instructions === undefined ? {} : { instructions: fact.instructions }),
    };
    if (system !== null) note(settingsNote(fact));
  }

  function intend(fact: FactOf<'action.intended'>): void {
    const called = round?.parts.some((part) => part.kind === 'call' && part.actionId === fact.actionId) ?? false;
    if (round === null || !called || told.has(fact.actionId)) {
      own.set(fact.actionId, ownText(fact));
      return;
    }
    if (round.actions.has(fact.actionId)) return;
    round.actions.set(fact.actionId, {
      tool: fact.tool,
      args: isObject(fact.args) ? fact.args : {},
      rewritten: null,
      approvalNote: null,
      result: fact.problem === undefined ? null : ofProblem(fact.problem),
    });
  }

  function close(actionId: string, result: ResultText | null): void {
    if (result === null) return;
    const action = round?.actions.get(actionId);
    if (action) {
      action.result = result;
      return;
    }
    const text = own.get(actionId);
    if (text !== undefined) {
      own.delete(actionId);
      notes.push(belay(`${text}:\n${result.text}`));
    } else if (told.has(actionId)) notes.push(belay(`The call call_${actionId} has ended:\n${result.text}`));
    else if (hasLosses)
      notes.push(belay(`The record of a call (call_${actionId}) was lost; its result:\n${result.text}`));
  }

  /** A request carries everything there is. */
  function carry(): void {
    carryAnswer();
    if (notes.length > 0) addUser(said, notes.join('\n\n'));
    notes = [];
    closeWithUser(said, first());
  }

  /** The last answer and its results become part of what was said; notes stay for the message after them. */
  function carryAnswer(): void {
    if (round === null) return;
    addRound(said, round, told, first());
    for (const actionId of round.actions.keys()) told.add(actionId);
    round = null;
  }

  return {
    get seq() {
      return seq;
    },
    fold(facts) {
      for (const fact of facts) {
        if (fact.seq <= seq) continue;
        fold(fact);
        shown.see(fact);
        seq = fact.seq;
      }
    },
    offer: shown.offer,
    request() {
      const messages = said.slice();
      if (round !== null) addRound(messages, round, told, first());
      if (notes.length > 0) addUser(messages, notes.join('\n\n'));
      closeWithUser(messages, first());
      return { system: system ?? systemPrompt(settings), tools: shown.list(), messages: refused.without(messages) };
    },
  };
}

/** The answer, then one result for each of its calls. An answer without content is left out: providers refuse it. */
function addRound(messages: Message[], round: Round, told: ReadonlySet<string>, beginning: string): void {
  const parts: MessagePart[] = [];
  const results: Extract<Message, { role: 'tool' }>['results'][number][] = [];
  const here = new Set<string>();
  for (const part of round.parts) {
    const meta = part.meta === undefined ? {} : { meta: part.meta };
    if (part.kind !== 'call') {
      if (part.text !== undefined && (part.text.trim() !== '' || part.meta !== undefined)) {
        parts.push({ kind: part.kind, text: part.text, ...meta });
      }
      continue;
    }
    const actionId = part.actionId ?? '';
    const action = round.actions.get(actionId);
    if (action === undefined || told.has(actionId) || here.has(actionId)) continue;
    here.add(actionId);
    const callId = `call_${actionId}`;
    parts.push({ kind: 'call', callId, name: action.tool, args: action.args, ...meta });
    const result = action.result ?? (round.hasLosses ? lostCall : openCall);
    const text = action.rewritten === null ? result.text : `${hookNote(action.rewritten)}\n${result.text}`;
    const shown = result.attachments === undefined ? {} : { attachments: result.attachments };
    results.push({ callId, name: action.tool, text, isError: result.isError, ...shown });
  }
  if (!parts.some((part) => part.kind !== 'reasoning')) return;
  if (messages.length === 0) messages.push({ role: 'user', text: beginning });
  if (messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', text: goOn });
  // A list that grew has room for more; what is said stays as long as the session, so it is kept in its own size.
  messages.push({ role: 'assistant', parts: parts.slice() });
  if (results.length > 0) messages.push({ role: 'tool', results: results.slice() });
}

function addUser(messages: Message[], text: string): void {
  const last = messages.at(-1);
  if (last?.role === 'user') messages[messages.length - 1] = { role: 'user', text: `${last.text}\n\n${text}` };
  else messages.push({ role: 'user', text });
}

function closeWithUser(messages: Message[], beginning: string): void {
  if (messages.length === 0) messages.push({ role: 'user', text: beginning });
  else if (messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', text: goOn });
}

/** What is said of a call whose answer is not shown. */
function ownText({ origin, tool, args }: FactOf<'action.intended'>): string {
  if (origin !== 'model') return `${tool} was run for you`;
  return `The record of your answer that called ${tool} ${JSON.stringify(args).slice(0, lostArgsMax)} was lost; the call's result`;
}

const lostArgsMax = 300;

const hookNote = (args: string) => belay(`A rule of the user changed the input of this call to ${args}`);

const isObject = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
