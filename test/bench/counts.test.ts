/** Figures that are counts or sizes, so that a test can hold them on any machine. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stage } from '../../bench/row.ts';
import { editingRound, readingRound, syncsOfTokens, syncsPerEdit, writingRound } from '../../bench/rows/durability.ts';
import { promptSize } from '../../bench/rows/prompt.ts';

const root = path.resolve(import.meta.dirname, '../..');
let stage: Stage;
beforeAll(() => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-counts-')));
  stage = { node: process.execPath, entry: path.join(root, 'src/assembly/entry.ts'), root, folder };
});
afterAll(() => rmSync(stage.folder, { recursive: true, force: true, maxRetries: 5 }));

describe('what a round costs', { timeout: 120_000 }, () => {
  test('a round with an effect syncs the ledger twice and adds at most 1.6 KB of facts', async () => {
    const round = await writingRound(stage);
    expect(round.ledger).toBe(2);
    expect(round.bytes).toBeLessThanOrEqual(1_600);
    expect(round.workspace).toEqual([]);
  });

  test('a read-only round syncs the ledger once and nothing else', async () => {
    const round = await readingRound(stage);
    expect(round.ledger).toBe(1);
    expect(round.workspace).toEqual([]);
  });

  test('an edit syncs the ledger twice, then its file and its folder', async () => {
    const round = await editingRound(stage);
    expect(round.ledger).toBe(2);
    expect(syncsPerEdit(round)).toBe(2);
    const folders = round.workspace.filter((one) => one.endsWith('/repository'));
    expect(folders).toHaveLength(round.workspace.length / 2);
  });

  test('a token is never synced', async () => {
    expect(await syncsOfTokens(stage)).toBe(0);
  });

  test('system prompt and core tools take at most 5 KB of a request', async () => {
    const { system, tools } = await promptSize(stage);
    expect(system).toBeGreaterThan(500);
    expect(tools).toBeGreaterThan(1_000);
    expect(system + tools).toBeLessThanOrEqual(5_000);
  });
});
