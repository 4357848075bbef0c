/** The table of file attempts: what claim, marker, content and boot say together. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fingerprint } from '#kernel';
import { revokeClaim, takeClaim } from '../../../src/workspace/claim.ts';
import { blobHash } from '../../../src/workspace/files/blob-hash.ts';
import { openPlace } from '../bench-place.ts';

const hash = (text: string | null): string | null => (text === null ? null : blobHash(Buffer.from(text)));
const change = (path: string, base: string | null, result: string | null): Fingerprint => ({
  path,
  base: hash(base),
  result: hash(result),
});

type Claim = 'free' | 'revoked' | 'taken' | 'marked';
interface Row {
  readonly what: string;
  readonly files: readonly Fingerprint[];
  /** Content now, by path; null is no file. */
  readonly now: { readonly [path: string]: string | null };
  readonly claim: Claim;
  readonly boot?: 'another';
  readonly state: object;
}

const edit = [change('f', 'old', 'new')];
const create = [change('f', null, 'new')];
const remove = [change('f', 'old', null)];
const both = [change('f', 'old', 'new'), change('g', null, 'made')];
const applied = { state: 'applied', changedSince: false };
const changedSince = { state: 'applied', changedSince: true };
const notStarted = { state: 'not-started' };
const notApplied = { state: 'not-applied' };
const diverged = (evidence: string) => ({ state: 'diverged', evidence: expect.stringContaining(evidence) });

const rows: readonly Row[] = [
  { what: 'nobody claimed', files: edit, now: { f: 'old' }, claim: 'free', state: notStarted },
  {
    what: 'nobody claimed, somebody else wrote the same',
    files: edit,
    now: { f: 'new' },
    claim: 'free',
    state: notStarted,
  },
  { what: 'revoked before', files: edit, now: { f: 'old' }, claim: 'revoked', state: notStarted },
  { what: 'an edit that was made', files: edit, now: { f: 'new' }, claim: 'taken', state: applied },
  { what: 'an edit that was not made', files: edit, now: { f: 'old' }, claim: 'taken', state: notApplied },
  {
    what: 'neither old nor new',
    files: edit,
    now: { f: 'third' },
    claim: 'taken',
    state: diverged('f holds something else'),
  },
  { what: 'the file is gone', files: edit, now: { f: null }, claim: 'taken', state: diverged('f does not exist') },
  { what: 'made, then changed by others', files: edit, now: { f: 'third' }, claim: 'marked', state: changedSince },
  {
    what: 'made, then brought back by others (A, B, A)',
    files: edit,
    now: { f: 'old' },
    claim: 'marked',
    state: changedSince,
  },
  { what: 'a file that was created', files: create, now: { f: 'new' }, claim: 'taken', state: applied },
  { what: 'a file that was not created', files: create, now: { f: null }, claim: 'taken', state: notApplied },
  {
    what: 'a file that others created',
    files: create,
    now: { f: 'third' },
    claim: 'taken',
    state: diverged('something else'),
  },
  { what: 'a file that was deleted', files: remove, now: { f: null }, claim: 'taken', state: applied },
  { what: 'a file that was not deleted', files: remove, now: { f: 'old' }, claim: 'taken', state: notApplied },
  { what: 'two files, both written', files: both, now: { f: 'new', g: 'made' }, claim: 'taken', state: applied },
  { what: 'two files, none written', files: both, now: { f: 'old', g: null }, claim: 'taken', state: notApplied },
  {
    what: 'two files, one written',
    files: both,
    now: { f: 'new', g: null },
    claim: 'taken',
    state: diverged('f holds the new content\ng holds the old content'),
  },
  // After a restart of the machine claim and marker may be lost or older than the content.
  { what: 'another boot, made', files: edit, now: { f: 'new' }, claim: 'free', boot: 'another', state: applied },
  { what: 'another boot, not made', files: edit, now: { f: 'old' }, claim: 'free', boot: 'another', state: notApplied },
  {
    what: 'another boot, a marker without its content',
    files: edit,
    now: { f: 'old' },
    claim: 'marked',
    boot: 'another',
    state: notApplied,
  },
  {
    what: 'another boot, neither',
    files: edit,
    now: { f: '' },
    claim: 'free',
    boot: 'another',
    state: diverged('something else'),
  },
];

describe('settling', () => {
  test.each(rows)('$what', async ({ files, now, claim, boot, state }) => {
    const place = await openPlace({});
    for (const [path, text] of Object.entries(now)) {
      if (text === null) rmSync(join(place.root, path), { force: true });
      else writeFileSync(join(place.root, path), text);
    }
    const folder = join(place.root, '..', 'exec-of-attempt');
    mkdirSync(folder);
    const { processes } = place.workspace;
    if (claim === 'revoked') revokeClaim(folder);
    if (claim === 'taken' || claim === 'marked') takeClaim(folder, await processes.bootId());
    if (claim === 'marked') writeFileSync(join(folder, 'applied'), 'hash\n');
    const settle = () => place.workspace.files.settle(folder, files, boot);
    expect(await settle()).toEqual(state);
    // Whoever asks again hears the same, and nobody can start it any more.
    expect(await settle()).toEqual(state);
    expect(takeClaim(folder, 'late')).toBe(false);
  });

  test.each([
    ['made: applied', 'new', applied],
    ['not made: not started', 'old', { state: 'not-started' }],
    ['changed by others since: not started, so it is tried and refused', 'third', { state: 'not-started' }],
  ])('its whole folder is gone, the change was %s', async (_name, text, state) => {
    const place = await openPlace({});
    writeFileSync(join(place.root, 'f'), text);
    const folder = join(place.root, '..', 'exec-of-attempt');
    expect(await place.workspace.files.settle(folder, edit)).toEqual(state);
    const again = await place.workspace.files.settle(folder, edit);
    expect(again).toEqual(state);
    expect(takeClaim(folder, 'late')).toBe(false);
  });
});
