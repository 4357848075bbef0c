/**
 * How a command in a sandbox without a network reaches the proxy outside: a small Node program inside listens on the
 * loopback of the sandbox and hands each connection to the socket file. The shell text readies it and then becomes the
 * shell of the command. The program ends when nobody holds its input any more, so when the last process of the command
 * is gone.
 */
import type { WayOut } from '../contract.ts';

export const WAY_OUT_PORT = 3128;
/** By this word the program is told from what the command itself left running. */
export const WAY_OUT_WORD = 'belay-way-out';

const PROGRAM = `const n=require('node:net'),[s]=process.argv.slice(1);n.createServer(c=>{const o=n.connect(s);c.on('error',()=>o.destroy());o.on('error',()=>c.destroy());c.pipe(o).pipe(c)}).listen(${WAY_OUT_PORT},'127.0.0.1');process.stdin.on('end',()=>process.exit()).resume()`;

/** Bash only. The command keeps one more descriptor open, 9; a way out that does not come up is not waited for. */
export function throughWayOut({ node, socket }: WayOut, bash: string, command: string): string {
  const words = [node, '-e', PROGRAM, '--', socket, WAY_OUT_WORD].map(quoted).join(' ');
  const isUp = `(: <>/dev/tcp/127.0.0.1/${WAY_OUT_PORT}) 2>/dev/null`;
  return [
    `exec 9> >(exec ${words} >/dev/null 2>&1)`,
    `n=0; until ${isUp} || [ $((n += 1)) -gt 250 ]; do read -rt 0.02 <> <(:); done`,
    `exec ${quoted(bash)} -c -- ${quoted(command)}`,
  ].join('; ');
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
