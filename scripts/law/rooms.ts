/**
 * The house as data: which rooms there are, what each is for, and which other rooms it may import. The import rules,
 * their tests and the room graph in ARCHITECTURE.md are all made from this table; a new edge needs a decision record.
 */
export interface Room {
  readonly job: string;
  /** Rooms whose door this room may import. */
  readonly mayImport: readonly string[];
  /** Rooms whose door this room may import with `import type` only. */
  readonly mayImportTypes?: readonly string[];
}

const spine = ['lib', 'kernel'];

export const rooms: Readonly<Record<string, Room>> = {
  lib: { job: 'the few primitives that the platform lacks', mayImport: [] },
  kernel: { job: 'facts, state, evolve, decide; pure', mayImport: ['lib'] },
  ledger: { job: 'the durable record: log file, memory, codec, blobs, lock, inbox', mayImport: spine },
  model: { job: 'the gateway to language models, and scripted models', mayImport: spine },
  workspace: { job: 'files, search, revision, checkpoints, processes', mayImport: spine },
  permission: {
    job: 'rules, modes, shell texts; what could be lost, trust, secrets, what a sandbox shows',
    mayImport: spine,
  },
  context: { job: 'what the model sees', mayImport: spine },
  tools: { job: 'the tools and their execution pipeline', mayImport: [...spine, 'workspace', 'permission'] },
  runtime: { job: 'the driver, hooks, cancellation, ports', mayImport: spine },
  extensions: {
    job: 'what users plug in: command hooks',
    mayImport: [...spine, 'runtime'],
    mayImportTypes: ['workspace'],
  },
  'surfaces/view': { job: 'projections that several surfaces share', mayImport: [...spine, 'runtime'] },
  'surfaces/cli': { job: 'the command line', mayImport: [...spine, 'runtime', 'surfaces/view'] },
  assembly: {
    job: 'the composition root: names the implementations, holds the bin and the library entry',
    mayImport: [
      ...spine,
      'ledger',
      'model',
      'workspace',
      'permission',
      'context',
      'tools',
      'runtime',
      'extensions',
      'surfaces/view',
      'surfaces/cli',
    ],
  },
};

/** The one room that may import an npm package. A package that is not listed may be imported by nobody. */
export const packageOwners: Readonly<Record<string, string>> = {
  '@ai-sdk/anthropic': 'model',
  '@ai-sdk/google': 'model',
  '@ai-sdk/openai': 'model',
  '@ai-sdk/openai-compatible': 'model',
  '@ai-sdk/provider': 'model',
  '@vscode/ripgrep': 'workspace',
  '@vscode/tree-sitter-wasm': 'tools',
  chardet: 'workspace',
  commander: 'surfaces/cli',
  diff: 'workspace',
  'iconv-lite': 'workspace',
  ignore: 'workspace',
  picocolors: 'surfaces/cli',
  unbash: 'permission',
  zod: 'tools',
};

/** Node modules that only some places may import. A place is a room or a folder of a room, below src/. */
export const builtinOwners: readonly {
  readonly name: string;
  readonly modules: readonly string[];
  readonly places: readonly string[];
  readonly why: string;
}[] = [
  {
    name: 'only-the-supervisor-spawns',
    modules: ['child_process', 'cluster'],
    places: ['workspace/process'],
    why: 'A process that is started elsewhere has no claim and no receipt, so after a crash nobody could say what it did.',
  },
  {
    name: 'only-three-rooms-touch-files',
    modules: ['fs', 'fs/promises'],
    places: ['ledger', 'workspace', 'assembly'],
    why: 'Everybody else is handed a reader, so that what was read and written can be recorded, and simulated in tests.',
  },
  {
    name: 'only-locks-open-databases',
    modules: ['sqlite'],
    places: ['ledger', 'workspace'],
    why: 'SQLite serves locks and the rebuildable index; a second handle on a lock file would drop the lock in silence.',
  },
  {
    name: 'only-two-places-open-sockets',
    modules: ['http', 'https', 'http2', 'net', 'tls', 'dgram'],
    places: ['model', 'workspace/network'],
    why: 'A request is an effect with an identity; a socket opened elsewhere would be an effect that nobody recorded.',
  },
];
