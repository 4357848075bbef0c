/**
 * One edit in a file of 20 MB, to reading such a file and writing it durably. The change itself (once it is allowed) and
 * the whole call are told apart: the look before finds the place, proves that it is the only one, hashes the result for
 * approval and settling, and makes the diff. What a session keeps besides for an undo is not in it.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { initialState, type State } from '#kernel';
import { createTools } from '#tools';
import { openWorkspace } from '#workspace';
import { least, median } from '../measure/statistics.ts';
import type { Reading, Row, Stage } from '../row.ts';

const BYTES = 20 * 1024 * 1024;
const PAIRS = 15;

/** What any careful program does: read, put the new content beside it, bring it to the disk, rename. */
function readAndWrite(file: string): void {
  const bytes = readFileSync(file);
  const fresh = openSync(`${file}.new`, 'w');
  writeSync(fresh, bytes);
  fsyncSync(fresh);
  closeSync(fresh);
  renameSync(`${file}.new`, file);
  const folder = openSync(path.dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

async function measure(stage: Stage, name: string, content: Buffer): Promise<readonly Reading[]> {
  const root = path.join(stage.folder, name);
  const other = path.join(stage.folder, `${name}-plain`);
  for (const folder of [root, other]) mkdirSync(folder);
  for (const folder of [root, other]) writeFileSync(path.join(folder, 'f'), content);
  const lockFolder = path.join(stage.folder, `${name}-data`);
  const workspace = await openWorkspace({ root, protectedPaths: [], env: process.env, lockFolder });
  const tools = new Map(createTools(workspace).map((tool) => [tool.definition.name, tool]));
  let state: State = { ...initialState, workspace: root };
  const call = async (tool: string, n: number, args: { readonly [name: string]: string }) => {
    const attemptId = `${tool}-${n}`;
    const context = {
      actionId: attemptId,
      attemptId,
      execFolder: path.join(stage.folder, 'exec', name, attemptId),
      bootId: 'bench',
      signal: new AbortController().signal,
      state: () => state,
      onOutput: () => {},
    };
    const used = tools.get(tool);
    if (used === undefined) throw new Error(tool);
    const began = performance.now();
    const inspection = await used.inspect(args, context);
    const looked = performance.now();
    const prepared = await used.prepare(args, context);
    if (!inspection.ok || !prepared.ok) throw new Error(`${tool} was refused`);
    const outcome = await prepared.attempt.run();
    const ended = performance.now();
    if (outcome.status !== 'succeeded') throw new Error(outcome.output);
    const seen = Object.fromEntries((outcome.seen ?? []).map((file) => [file.path, file.hash]));
    state = { ...state, seen: { ...state.seen, ...seen } };
    return { change: ended - looked, whole: ended - began };
  };
  await call('Read', 0, { file_path: 'f' });
  const changes: number[] = [];
  const wholes: number[] = [];
  const plain: number[] = [];
  for (let n = -2; n < PAIRS; n++) {
    const args = { file_path: 'f', old_string: `mark${n}!`, new_string: `mark${n + 1}!` };
    let took = 0;
    let edit = { change: 0, whole: 0 };
    const measures = [
      async () => {
        const began = performance.now();
        readAndWrite(path.join(other, 'f'));
        took = performance.now() - began;
      },
      async () => {
        edit = await call('Edit', n, args);
      },
    ];
    // What one leaves to the disk must not always be paid by the other.
    for (const one of n % 2 === 0 ? measures : measures.toReversed()) {
      // A model thinks between two edits.
      await sleep(200);
      await one();
    }
    const { change, whole } = edit;
    if (n < 0) continue;
    plain.push(took);
    changes.push(change);
    wholes.push(whole);
  }
  const reading = (what: string, ours: readonly number[]): Reading => ({
    name: `${what}, to reading and durably writing it`,
    unit: 'ms',
    belay: median(ours),
    baseline: median(plain),
    bound: 2,
    note: `least ${least(ours).toFixed(0)} and ${least(plain).toFixed(0)}`,
  });
  return [
    reading(`change of ${name} by an edit`, changes),
    reading(`whole edit of ${name}, with the look before`, wholes),
  ];
}

/** The mark that each edit moves on lies in the middle. */
function contentOf(line: string): Buffer {
  const half = Buffer.from(line.repeat(Math.floor(BYTES / 2 / line.length)));
  return Buffer.concat([half, Buffer.from('mark-2!\n'), half]);
}

export const files: Row = {
  id: 'files',
  run: async (stage) => [
    ...(await measure(stage, 'a file of 20 MB', contentOf('one line of text, as most are: forty-eight chars\n'))),
    ...(await measure(stage, 'one line of 20 MB', contentOf('x'.repeat(64)))),
  ],
};
