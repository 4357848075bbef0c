/** Runs shell texts in a sandbox, in real shells that know no program, and tells which words they would have run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const shells = ['bash', 'dash'] as const;
/** Of each text, by its number: the commands that ran. Of one that was not found, only the first word. */
export type Named = { readonly [S in (typeof shells)[number]]: readonly (readonly (readonly string[])[])[] };

const names: readonly string[] = ['m', ...Array.from({ length: 60 }, (_one, i) => `z${i}`)];
const prelude = `ulimit -t 2
s=val
log() { local IFS; IFS=$(printf '\\037'); printf '%s\\t%s\\036' "$NUMBER" "$*" >>"$LOG"; }
${names.map((name) => `${name}() { log ${name} "$@"; }`).join('\n')}
`;

/** Rejects where bubblewrap is missing or does not work: then nothing is shown. */
export async function runNamed(texts: readonly string[]): Promise<Named> {
  const folder = mkdtempSync(path.join(tmpdir(), 'belay-quoted-'));
  try {
    mkdirSync(path.join(folder, 'out'));
    copyFileSync(path.join(import.meta.dirname, 'quoted-driver.bash'), path.join(folder, 'driver.bash'));
    writeFileSync(path.join(folder, 'prelude'), prelude);
    writeFileSync(path.join(folder, 'texts'), texts.map((text) => `${text}\0`).join(''));
    const child = spawn('bwrap', [
      ...'--unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc --tmpfs /run --tmpfs /tmp --dir /tmp/work'.split(
        ' ',
      ),
      ...['--ro-bind', folder, '/tmp/oracle', '--bind', path.join(folder, 'out'), '/tmp/out'],
      ...['--clearenv', 'bash', '/tmp/oracle/driver.bash'],
    ]);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`bwrap did not run the texts, and must work for this test: ${code}`);
    const [bash, dash] = shells.map((shell) =>
      read(readFileSync(path.join(folder, 'out', shell), 'utf8'), texts.length),
    );
    return { bash: bash ?? [], dash: dash ?? [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(log: string, count: number): readonly (readonly (readonly string[])[])[] {
  const ran: (readonly string[])[][] = Array.from({ length: count }, () => []);
  for (const record of log.split('\x1e')) {
    const [, number = '', words = ''] = /^(\d+)\t(.*)$/s.exec(record) ?? [];
    if (number !== '') ran[Number(number)]?.push(words.split('\x1f'));
  }
  return ran;
}
