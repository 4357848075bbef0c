/** What `node:sqlite` is inside a simulation: a lock that one living process holds, and that ends with it. */
import { theMachine } from './machine.ts';
import { namesOf } from './volume.ts';

const holders = new Map<string, object>();

export const resetLocks = (): void => holders.clear();

/** The lock goes although its holder lives: what happens when another descriptor on the file is closed. */
export const loseLocks = (): void => holders.clear();

export class DatabaseSync {
  private readonly path: string;

  constructor(path: string) {
    this.path = namesOf(path).join('/');
    theMachine().enter('database', path, false);
    theMachine().current?.onDeath.push(() => this.close());
  }

  exec(sql: string): void {
    theMachine().enter('exec', this.path, false);
    if (sql === 'ROLLBACK') this.close();
    if (!sql.includes('BEGIN EXCLUSIVE')) return;
    const holder = holders.get(this.path);
    if (holder !== undefined && holder !== this) {
      throw Object.assign(new Error('database is locked'), { errcode: 5 });
    }
    holders.set(this.path, this);
  }

  close(): void {
    if (holders.get(this.path) === this) holders.delete(this.path);
  }
}
