/** The processes that commands are, as `/proc` shows them. A wrapper leads its session; its command is in it. */
export interface Task {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly start: number;
  readonly words: readonly string[];
  readonly environment: readonly string[];
  alive: boolean;
  stopped: boolean;
  /** What a signal does to it. */
  onSignal: (signal: string) => void;
}

const tasks = new Map<number, Task>();

export const resetTasks = (): void => tasks.clear();
export const addTask = (task: Task): void => void tasks.set(task.pid, task);
const livingTasks = (): readonly Task[] => [...tasks.values()].filter((task) => task.alive);
export const processIds = (): string[] => livingTasks().map((task) => String(task.pid));

export function processFile(path: string): string | null {
  const [, , pid, file] = path.split('/');
  const task = tasks.get(Number(pid));
  if (task === undefined || !task.alive) return null;
  switch (file) {
    case 'stat': {
      const fields = ['S', task.parent, task.session, task.session, ...Array<number>(15).fill(0), task.start];
      return `${task.pid} (sh) ${fields.join(' ')}`;
    }
    case 'cmdline':
      return task.words.map((word) => `${word}\0`).join('');
    case 'environ':
      return task.environment.map((entry) => `${entry}\0`).join('');
    default:
      return null;
  }
}

/** As `process.kill`: a negative number means the group, which here is the session. */
export function sendSignal(target: number, signal: string | number): true {
  const hit = livingTasks().filter((task) => (target < 0 ? task.session === -target : task.pid === target));
  if (hit.length === 0) throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
  if (signal !== 0) for (const task of hit) task.onSignal(String(signal));
  return true;
}
