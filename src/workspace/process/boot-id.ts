import { readFileSync } from 'node:fs';
import { runTool } from './run-tool.ts';

/** Identity of this run of the machine: receipts and process ids mean something only inside one boot. */
export async function readBootId(): Promise<string> {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    const asked = await runTool('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], {
      cwd: '/',
      env: {},
      timeoutMs: 5_000,
      outputBytesMax: 1_000,
    });
    const id = Buffer.from(asked.stdout).toString('latin1').trim();
    // Without any identity no receipt can be believed after a crash: each process gets a boot of its own.
    return /^[0-9A-Za-z-]+$/.test(id) ? id : `process-${process.pid}-${Math.round(performance.timeOrigin)}`;
  }
}
