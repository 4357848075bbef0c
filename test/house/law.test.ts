import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { checkLaw, type LawReport } from '../../scripts/law/check-law.ts';
import { packageOwners, rooms } from '../../scripts/law/rooms.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Each row is a file that breaks one rule, planted into a copy of the sources. */
const planted = [
  { rule: 'edge:kernel', file: 'src/kernel/planted-edge.ts', text: "import '#ledger';" },
  { rule: 'edge:model', file: 'src/model/planted-edge.ts', text: "import type {} from '#workspace';" },
  { rule: 'edge:surfaces/view', file: 'src/surfaces/view/planted-edge.ts', text: "import '#surfaces/cli';" },
  { rule: 'edge:lib', file: 'src/lib/planted-edge.ts', text: "export const kernel = () => import('#kernel');" },
  { rule: 'door:kernel', file: 'src/ledger/planted-door.ts', text: "import '../kernel/planted-pure.ts';" },
  { rule: 'spelling:kernel', file: 'src/ledger/planted-spelling.ts', text: "import '../kernel/index.ts';" },
  { rule: 'own-door:lib', file: 'src/lib/planted-own-door.ts', text: "import './index.ts';" },
  { rule: 'no-cycles', file: 'src/model/planted-cycle.ts', text: "import type {} from './planted-cycle-back.ts';" },
  { rule: 'no-cycles', file: 'src/model/planted-cycle-back.ts', text: "import type {} from './planted-cycle.ts';" },
  { rule: 'kernel-is-pure', file: 'src/kernel/planted-pure.ts', text: "import 'node:os';" },
  { rule: 'kernel-is-pure', file: 'src/kernel/planted-npm.ts', text: "import 'zod';" },
  { rule: 'lib-touches-no-world', file: 'src/lib/planted-world.ts', text: "import 'node:os';" },
  {
    rule: 'kernel-uses-no-impure-global',
    file: 'src/kernel/planted-clock.ts',
    text: 'export const t = () => Date.now();',
  },
  { rule: 'only-the-supervisor-spawns', file: 'src/workspace/planted-spawn.ts', text: "import 'node:child_process';" },
  { rule: 'only-the-supervisor-spawns', file: 'src/tools/planted-spawn.ts', text: "import 'child_process';" },
  { rule: 'only-three-rooms-touch-files', file: 'src/tools/planted-fs.ts', text: "import 'node:fs/promises';" },
  { rule: 'only-locks-open-databases', file: 'src/assembly/planted-sqlite.ts', text: "import 'node:sqlite';" },
  { rule: 'only-two-places-open-sockets', file: 'src/tools/planted-http.ts', text: "import 'node:https';" },
  { rule: 'owner:zod', file: 'src/context/planted-owner.ts', text: "import 'zod';" },
  { rule: 'only-owned-packages', file: 'src/tools/planted-package.ts', text: "import 'vitest';" },
  { rule: 'only-known-rooms', file: 'src/utils/planted-room.ts', text: "import '#lib';" },
  { rule: 'product-knows-no-workshop', file: 'src/lib/planted-test.ts', text: "import '../../test/planted.ts';" },
  { rule: 'everything-resolves', file: 'src/lib/planted-missing.ts', text: "import './missing.ts';" },
  { rule: 'no-hidden-imports', file: 'src/tools/planted-hidden.ts', text: "process.getBuiltinModule('node:fs');" },
  { rule: 'file-size', file: 'src/tools/planted-size.ts', text: '\n'.repeat(400) },
];

let copy: string;
let report: LawReport;

beforeAll(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'belay-law-'));
  for (const name of ['src', 'tsconfig.json', 'package.json']) {
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const doors = Object.keys(rooms).map((room) => ({ file: `src/${room}/index.ts`, text: '' }));
  const files = [...doors, ...planted, { file: 'test/planted.ts', text: '' }];
  for (const { file, text } of files) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), `${text}\nexport {};\n`);
  }
  report = await checkLaw(copy);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the import law', () => {
  it.each(planted)('finds $rule planted as $file, and says why', ({ rule, file }) => {
    // A cycle is reported once, with its whole way, and not once for each of its files.
    const found = report.violations.find(
      (violation) => violation.rule === rule && (violation.from === file || violation.to.split(' → ').includes(file)),
    );
    expect(found?.why).toMatch(/^\S.{20,}[.:]?/);
  });

  it('has read every file of the copy', () => {
    expect(report.cruised).toBe(report.files);
    expect(report.files).toBeGreaterThan(planted.length);
  });

  it('reads every source file of this repository', async () => {
    const { cruised, files } = await checkLaw(root);
    expect(cruised).toBe(files);
  });

  it('knows the same rooms as package.json', () => {
    const doors = Object.keys(manifest.imports).map((name) => name.slice(1));
    expect(
      Object.keys(rooms)
        .filter((room) => room !== 'assembly')
        .sort(),
    ).toEqual(doors.filter((room) => room !== 'assembly').sort());
  });

  it('gives owners only to packages that are installed', () => {
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(Object.keys(packageOwners).filter((name) => !installed.includes(name))).toEqual([]);
  });
});
