/**
 * How a command in a sandbox without a network reaches the proxy outside: a small Node program inside listens on the
 * loopback of the sandbox and hands each connection to the socket file. At each port of this machine that may be reached
 * it listens too, and asks the proxy for a tunnel there. The shell text readies it and then becomes the shell of the
 * command. The program ends when nobody holds its input any more, so when the last process of the command is gone.
 */
import type { WayOut } from '../contract.ts';

export const WAY_OUT_PORT = 3128;
/** By this word the program is told from what the command itself left running. */
export const WAY_OUT_WORD = 'belay-way-out';

const PROGRAM = [
  "const n=require('node:net'),[s,,...l]=process.argv.slice(1)",
  "const serve=(port,host,begin)=>n.createServer(c=>{const o=n.connect(s);c.on('error',()=>o.destroy());o.on('error',()=>c.destroy());begin(c,o)}).on('error',()=>{}).listen(port,host)",
  'const join=(c,o)=>c.pipe(o).pipe(c)',
  // The answer of the proxy ends with an empty line; what follows it is from the far end.
  "const tunnel=to=>(c,o)=>{let got='';const hear=d=>{got+=d.toString('latin1');const i=got.indexOf('\\r\\n\\r\\n');if(i<0)return;o.off('data',hear);if(!got.startsWith('HTTP/1.1 200 '))return c.destroy();c.write(Buffer.from(got.slice(i+4),'latin1'));join(c,o)};o.on('data',hear).on('close',()=>c.destroy()).write(`CONNECT ${to} HTTP/1.1\\r\\nHost: ${to}\\r\\n\\r\\n`)}",
  "for(const to of l){const[,h,p]=/^\\[?(.*?)\\]?:(\\d+)$/.exec(to);for(const at of h==='localhost'?['127.0.0.1','::1']:[h])serve(p,at,tunnel(to))}",
  `serve(${WAY_OUT_PORT},'127.0.0.1',join)`,
  "process.stdin.on('end',()=>process.exit()).resume()",
].join(';');

/** Bash only. The command keeps one more descriptor open, 9; a way out that does not come up is not waited for. */
export function throughWayOut({ node, socket, local = [] }: WayOut, bash: string, command: string): string {
  const words = [node, '-e', PROGRAM, '--', socket, WAY_OUT_WORD, ...local].map(quoted).join(' ');
  const isUp = `(: <>/dev/tcp/127.0.0.1/${WAY_OUT_PORT}) 2>/dev/null`;
  return [
    `exec 9> >(exec ${words} >/dev/null 2>&1)`,
    // One pipe to wait on for all rounds: a child for each could outlast a short command, and be told as left behind.
    `exec 8<> <(:); n=0; until ${isUp} || [ $((n += 1)) -gt 250 ]; do read -rt 0.02 -u 8; done; exec 8>&-`,
    `exec ${quoted(bash)} -c -- ${quoted(command)}`,
  ].join('; ');
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
