import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { FactBody } from '#kernel';
import { memoryLedger } from '#ledger';
import { sessionTasks } from '../../../src/assembly/ports/session-tasks.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'belay-archive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = Array.from({ length: 30_000 }, (_, n) => `line ${n}`).join('\n');

it.each(['read', 'process', 'opaque'] as const)(
  'the output of a call of class %s is read by range from what the session keeps',
  async (effect) => {
    const ledger = memoryLedger('s');
    const blob = await ledger.putBlob(Buffer.from(text));
    const attempt = { attemptId: 'a.1-x', actionId: 'a' };
    const bodies: FactBody[] = [
      { type: 'attempt.start', ...attempt, executorId: 'x', effect },
      { type: 'attempt.outcome', ...attempt, status: 'succeeded', output: 'both ends', blob, exitCode: 0 },
    ];
    await ledger.append(bodies);
    const { archive } = sessionTasks({} as never, folder, ledger, {} as never).tools;
    const found = await archive.find('a');
    expect(found?.end).toBe('ended: succeeded, exit code 0');
    const part = await found?.read(100_000, 50);
    expect(Buffer.from(part?.bytes ?? []).toString()).toBe(text.slice(100_000, 100_050));
    expect(part?.size).toBe(text.length);
    expect(await archive.find('another')).toBeNull();
  },
);
