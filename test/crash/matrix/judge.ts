/** Compares what was said with what happened. */
import { openStore } from '#ledger';
import { historyFaults } from '../scenario.ts';
import { type Effect, inodeOf, type Said } from './effects.ts';
import { type Ended, type Place, SESSION } from './place.ts';

export interface Seen {
  readonly ran: { readonly command: string; readonly ended: Ended }[];
  /** Times that the user was asked whether the effect happened. */
  asked: number;
  approvalsAsked: number;
  /** Times that an approval was asked although one had been acknowledged. */
  approvalsLost: number;
  /** Questions that the world really hides the answer of. */
  hidden: number;
  /** The world hides how a check ended: no question, because it is run again, openly, as a new action. */
  checkHidden: boolean;
  answered?: 'applied' | 'not-applied';
  atKill?: { readonly ledger: Buffer; readonly inode: number | null };
}

export interface Findings {
  readonly duplicates: number;
  readonly losses: number;
  readonly falseReports: number;
  readonly asked: number;
  readonly hidden: number;
  /** Everything that does not hold, as sentences. */
  readonly faults: readonly string[];
}

export async function judge(effect: Effect, place: Place, seen: Seen): Promise<Findings> {
  const count = effect.count(place);
  const last = seen.ran.at(-1)?.ended;
  const faults: string[] = [];
  const begun = last?.code !== 42 || seen.ran.length > 1;
  const said = begun ? saidToModel(effect, place) : [];

  const inode = inodeOf(effect, place);
  const isRewritten = seen.atKill?.inode != null && inode !== null && inode !== seen.atKill.inode;
  const duplicates = Math.max(0, count - (seen.checkHidden ? 2 : 1)) + (isRewritten ? 1 : 0);
  if (duplicates > 0)
    faults.push(`the effect happened ${count} times${isRewritten ? ', the file was written again' : ''}`);

  const lost: string[] = [];
  const final = said.at(-1)?.said;
  if (begun && final === 'done' && count === 0) lost.push('told done, and the effect never happened');
  if (begun && final === undefined) lost.push('the model was never told the result');
  if (!begun && count > 0 && effect.settles !== 'read') lost.push('something happened that no session knows of');
  if (begun && said.some((one) => one.said === 'done' && !one.whole)) lost.push('part of the output is missing');
  if (seen.approvalsLost > 0) lost.push('an acknowledged approval was asked again');
  if (seen.atKill !== undefined && begun) lost.push(...(await lostFacts(place, seen.atKill.ledger)));

  const lies: string[] = [];
  for (const one of said) {
    if (one.said === 'done' && count === 0) lies.push(`the model was told done, and it was not: ${one.text}`);
    if (one.said === 'not-done' && count > 0) lies.push(`the model was told not done, and it was: ${one.text}`);
    if (one.said === 'other' && !(effect.settles === 'check')) lies.push(`the model was told: ${one.text}`);
    if (one.said === 'unknown' && seen.hidden === 0 && !seen.checkHidden)
      lies.push('the model was told that nobody knows, and the world did');
  }
  if (seen.answered !== undefined && !toldAnswer(place, seen.answered))
    lies.push('the answer of the user was not passed on');
  for (const { command, ended } of seen.ran) lies.push(...screenLies(ended, command, seen));

  if (begun && last?.code !== 0)
    faults.push(`the last command ended ${last?.code} ${last?.signal ?? ''}: ${last?.stderr}`);
  if (seen.asked !== seen.hidden) faults.push(`${seen.asked} questions, ${seen.hidden} are hidden by the world`);
  if (begun) faults.push(...(await ledgerFaults(place, seen)));
  for (const { status, text } of place.server.requests)
    if (status !== 200) faults.push(`the provider answered ${status}: ${text}`);
  return {
    duplicates,
    losses: lost.length,
    falseReports: lies.length,
    asked: seen.asked,
    hidden: seen.hidden,
    faults: [...faults, ...lost, ...lies],
  };
}

interface SaidOnce {
  readonly said: Said;
  readonly whole: boolean;
  readonly text: string;
}

/** What each request says of the call, as the provider reads it. */
function saidToModel(effect: Effect, place: Place): readonly SaidOnce[] {
  return place.server.requests.flatMap(({ body, status }) => {
    if (status !== 200) return [];
    const { messages } = place.server.protocol.read(body);
    const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
    const ids = parts.flatMap((part) => (part.kind === 'call' && part.name === effect.tool ? [part.callId] : []));
    const results = messages
      .flatMap((message) => (message.role === 'tool' ? message.results : []))
      .filter(({ callId }) => ids.includes(callId));
    return results.map(({ text, isError }) => ({ said: effect.said(text, isError), whole: effect.whole(text), text }));
  });
}

function toldAnswer(place: Place, answered: 'applied' | 'not-applied'): boolean {
  const words = answered === 'applied' ? 'it took effect' : 'it did not take effect';
  return place.server.requests.at(-1)?.text.includes(words) ?? false;
}

/** What the user reads: no unknown is mentioned that is none, none is kept quiet, and 0 means that nothing is open. */
function screenLies(ended: Ended, command: string, seen: Seen): readonly string[] {
  const screen = ended.stdout + ended.stderr;
  const lies: string[] = [];
  const speaksOfUnknown = /not known whether|is not known/.test(screen);
  if (ended.code === 11 && !speaksOfUnknown) lies.push(`the user was asked without being told why: ${screen}`);
  if (ended.code !== 11 && seen.hidden === 0 && !seen.checkHidden && speaksOfUnknown)
    lies.push(`the user was told that nobody knows: ${screen}`);
  if (ended.code === 0 && command === 'resume' && /"unknown":\[\{/.test(screen)) lies.push('0 with an open question');
  return lies;
}

/** Facts that the ledger held at the kill and does not hold now. Only a torn end may go, and nobody acted on it. */
async function lostFacts(place: Place, before: Buffer): Promise<readonly string[]> {
  const { facts } = await openStore({ home: place.env['BELAY_HOME'] ?? '' }).openReader(SESSION);
  const text = before.toString('latin1');
  const known = [...text.matchAll(/\[(\d+),\d+,"([\w.]+)",/g)].map(([, seq, type]) => `${seq} ${type}`);
  const present = new Set(facts.map((fact) => `${fact.seq} ${fact.type}`));
  const gone = known.slice(0, -1).filter((name) => !present.has(name));
  return gone.length === 0 ? [] : [`facts are gone: ${gone.join(', ')}`];
}

async function ledgerFaults(place: Place, seen: Seen): Promise<readonly string[]> {
  const { report, problems } = await openStore({ home: place.env['BELAY_HOME'] ?? '' }).verify(SESSION);
  const damage = report.damage === null ? [] : [`damaged at ${report.damage.offset}`];
  const history = historyFaults(report.facts).filter((fault) => seen.hidden === 0 || !fault.endsWith('is unknown'));
  return [...problems, ...damage, ...history];
}
