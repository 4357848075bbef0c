/**
 * The world outside Belay, as it really is: the files of the workspace, remote services, and a count of every effect.
 * Nothing here is ever read from what Belay says; the checks compare the two.
 */

import { theMachine } from './os/machine.ts';
import { theVolume } from './os/the-volume.ts';
import { scanManifest } from './scan.ts';

export const WORKSPACE = '/sim/work';
/** How long the service of keyed calls promises to know a key. */
export const KEY_LIFETIME_MS = 2000;

export interface Effect {
  readonly token: string;
  /** The attempt that did it, where the world can see that. */
  readonly attemptId: string | null;
  /** Of an edit: the file, and which of its contents it was. */
  readonly place: {
    readonly path: string;
    readonly index: number;
    readonly before: string;
    readonly after: string;
  } | null;
  readonly atMs: number;
  readonly boot: number;
}

/** A hook command that began. */
export interface HookRun {
  readonly attemptId: string;
  readonly boot: number;
}

export class World {
  /** Every effect that ever happened, in order. */
  readonly effects: Effect[] = [];
  /** Exit codes that commands really ended with. */
  readonly exitCodes = new Map<string, number>();
  /** When the receipt of an attempt was written. */
  readonly toldAt = new Map<string, number>();
  /** What the keyed and the queryable service know. */
  readonly payments = new Map<string, string>();
  readonly tickets = new Map<string, string>();
  /** Attempts of commands and remote calls that took their claim. */
  readonly claimed = new Set<string>();
  /** Attempts of commands whose end nobody could record. */
  readonly hidden = new Set<string>();
  /** Runs of hook commands, by what they were asked about. */
  readonly hookRuns = new Map<string, HookRun[]>();
  /** Actions of which a service did not tell what became of them. */
  readonly unanswered = new Set<string>();
  /** … and those that they were asked about at all. */
  readonly asked = new Set<string>();
  /** Runs of the declared check. */
  readonly checkRuns: { readonly passed: boolean; readonly boot: number; readonly manifest: string }[] = [];
  /** Commands that nobody stopped although their time was long over. */
  readonly endedByItself = new Set<string>();
  /** What others did to the workspace. */
  outsideChanges = 0;
  onEffect: (effect: Effect) => void = () => undefined;
  onSent: (attemptId: string) => void = () => undefined;
  onHook: (about: string, run: HookRun) => void = () => undefined;

  /** Every content that a file of the workspace had, in order. */
  private readonly histories = new Map<string, string[]>();

  /** A file has a new content. Tokens that it did not hold before are effects of whoever edited it. */
  placed(path: string, content: string): void {
    const history = this.histories.get(path) ?? [];
    const before = history.at(-1) ?? '';
    this.histories.set(path, history);
    history.push(content);
    for (const token of content.match(/T\d{4}/g) ?? []) {
      if (!before.includes(token))
        this.effect(token, null, { path, index: history.length - 1, before, after: content });
    }
  }

  /** An edit that did not reach the disk has not happened; a command may have had other effects, so it still has. */
  afterPowerLoss(): void {
    for (const [path, history] of this.histories) {
      const now = this.read(path.slice(WORKSPACE.length + 1)) ?? '';
      const back = now === '' ? -1 : history.lastIndexOf(now);
      const isLost = ({ place, token }: Effect): boolean =>
        place?.path === path && place.index > back && !now.includes(token);
      for (const effect of this.effects.filter(isLost)) this.effects.splice(this.effects.indexOf(effect), 1);
      history.push(now);
    }
  }

  effect(token: string, attemptId: string | null, place: Effect['place'] = null): void {
    const machine = theMachine();
    const effect = { token, attemptId, place, atMs: machine.nowMs, boot: machine.boot };
    machine.log(`EFFECT ${token}`);
    this.effects.push(effect);
    this.onEffect(effect);
  }

  /** The agent lets an effect go its way. */
  sent(attemptId: string): void {
    this.onSent(attemptId);
  }

  /** A hook command has its effect. */
  hookRan(about: string, attemptId: string): void {
    const machine = theMachine();
    machine.log(`HOOK ${about}`);
    const run = { attemptId, boot: machine.boot };
    this.onHook(about, run);
    this.hookRuns.set(about, [...(this.hookRuns.get(about) ?? []), run]);
  }

  count(token: string): number {
    return this.effects.filter((effect) => effect.token === token).length;
  }

  exited(attemptId: string, code: number): number {
    this.exitCodes.set(attemptId, code);
    return code;
  }

  /** Its receipt is in the folder of the attempt. */
  told(attemptId: string): void {
    this.toldAt.set(attemptId, theMachine().nowMs);
  }

  /** How the command of an attempt really ended; a check may have been run twice in it. */
  exitOf(attemptId: string): number | undefined {
    return this.exitCodes.get(`${attemptId}.1-again`) ?? this.exitCodes.get(attemptId);
  }

  read(name: string): string | null {
    const inode = theVolume().find(`${WORKSPACE}/${name}`);
    return inode === null ? null : theVolume().content(inode).toString('utf8');
  }

  put(name: string, text: string): void {
    const volume = theVolume();
    const path = `${WORKSPACE}/${name}`;
    const inode = volume.find(path) ?? volume.create(path, 'file', 0o644, 'open');
    volume.truncate(inode, 0);
    volume.write(inode, Buffer.from(text), 0);
  }

  append(name: string, text: string): void {
    this.put(name, `${this.read(name) ?? ''}${text}`);
  }

  /** Another editor changes a file behind the agent's back. */
  disturb(name: string, text: string): void {
    theMachine().log(`OTHERS change ${name}`);
    this.outsideChanges++;
    this.put(name, text);
    this.placed(`${WORKSPACE}/${name}`, text);
  }

  /** What the declared check would say right now. */
  checkPasses(): boolean {
    return this.read('a.txt')?.includes('fixed') === true;
  }

  /**
   * The files that the agent edits. What comes into being or changes while a check runs is taken for what the check leaves
   * behind, whoever made it: files of commands and of others do not count.
   */
  manifestText(): string {
    return JSON.stringify([...this.manifest()].filter(([name]) => name === 'a.txt' || name.startsWith('n-')));
  }

  /** Tests that the check has; a file can make it leave one out. */
  testCount(): number {
    return this.read('a.txt')?.includes('lite') === true ? 1 : 2;
  }

  manifest(): ReadonlyMap<string, string> {
    return scanManifest(WORKSPACE);
  }
}

let world: World | null = null;

export function theWorld(): World {
  if (world === null) throw new Error('no simulation is running');
  return world;
}

export function setWorld(next: World | null): void {
  world = next;
}
