import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { rooms } from './rooms.ts';
import { rules } from './rules.ts';

export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
  /** The sentence why the rule exists. */
  readonly why: string;
}

export interface LawReport {
  readonly violations: readonly Violation[];
  /** Modules below src/ that the checker really read. */
  readonly cruised: number;
  /** Source files that exist below src/. */
  readonly files: number;
}

function sourceFiles(root: string): string[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** Two back doors that an import checker cannot see: modules by name at run time, and impure globals in the kernel. */
const textRules = [
  {
    rule: 'no-hidden-imports',
    pattern: /\bgetBuiltinModule\(|\bcreateRequire\(|\bprocess\.binding\(/,
    // An import of node:http reads all its exports, and one of them loads the whole built-in fetch. The loader of the bundle
    // requires what bundled packages require of Node.
    except: /^src\/(assembly\/(entry|bundle\/scripts)|model\/http\/agents)\.ts$/,
    where: /^src\//,
    why: 'A module that is loaded by name at run time passes by every other rule.',
  },
  {
    rule: 'kernel-uses-no-impure-global',
    pattern:
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\bprocess\.|\bsetTimeout\(|\bfetch\(|\bcrypto\./,
    except: /^$/,
    where: /^src\/kernel\//,
    why: 'Time, ids and randomness arrive inside facts; a global would make a replay differ from what happened.',
  },
];

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

function textViolations(root: string, files: readonly string[]): Violation[] {
  return files.flatMap((file) => {
    const text = withoutComments(readFileSync(path.join(root, file), 'utf8'));
    return textRules
      .filter(({ where, except }) => where.test(file) && !except.test(file))
      .flatMap(({ rule, pattern, why }) => {
        const found = pattern.exec(text);
        return found ? [{ rule, from: file, to: found[0], why }] : [];
      });
  });
}

const linesMax = 400;

function sizeViolations(root: string, files: readonly string[]): Violation[] {
  const why = 'A file is read whole by whoever changes it; beyond this size nobody does.';
  return files
    .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > linesMax)
    .map(({ file, lines }) => ({ rule: 'file-size', from: file, to: `${lines} lines`, why }));
}

function shapeViolations(root: string, files: readonly string[]): Violation[] {
  const why = 'A room without door or without README cannot be entered from outside or understood from inside.';
  const present = Object.keys(rooms).filter((room) => files.some((file) => file.startsWith(`src/${room}/`)));
  return present.flatMap((room) => {
    const names = new Set(readdirSync(path.join(root, 'src', room)));
    // The composition root is entered by its bin and library entries, not by other rooms.
    const wanted = room === 'assembly' ? ['README.md'] : ['README.md', 'index.ts'];
    return wanted
      .filter((name) => !names.has(name))
      .map((name) => ({ rule: 'room-shape', from: `src/${room}`, to: name, why }));
  });
}

/** Checks the rooms below `root`/src against the law. */
export async function checkLaw(root: string): Promise<LawReport> {
  const files = sourceFiles(root);
  const { output } = await cruise(
    ['src'],
    {
      ruleSet: { forbidden: [...rules] },
      validate: true,
      baseDir: root,
      doNotFollow: { path: 'node_modules' },
      tsPreCompilationDeps: true,
      tsConfig: { fileName: path.join(root, 'tsconfig.json') },
      outputType: 'json',
    },
    {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js'],
    },
    { tsConfig: extractTsConfig(path.join(root, 'tsconfig.json')) },
  );
  const result = (typeof output === 'string' ? JSON.parse(output) : output) as ICruiseResult;
  const whyOf = new Map(rules.map((rule) => [rule.name, rule.comment ?? '']));
  const violations = result.summary.violations.map((violation) => ({
    rule: violation.rule.name,
    from: violation.from,
    to: violation.cycle ? violation.cycle.map((part) => part.name).join(' → ') : violation.to,
    why: whyOf.get(violation.rule.name) ?? '',
  }));
  const cruised = result.modules.filter((module) => module.source.startsWith('src/') && !module.couldNotResolve).length;
  return {
    violations: [
      ...violations,
      ...textViolations(root, files),
      ...shapeViolations(root, files),
      ...sizeViolations(root, files),
    ],
    cruised,
    files: files.length,
  };
}
