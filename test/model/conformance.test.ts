import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openModel } from '#model';
import { protocols } from '../servers/protocols.ts';
import { modelConformance } from './conformance.ts';
import { openLoopback } from './loopback-model.ts';

modelConformance({
  name: 'scripted',
  sendsBrokenArguments: true,
  async open(script) {
    const folder = await mkdtemp(join(tmpdir(), 'belay-model-'));
    await writeFile(join(folder, 'script.json'), JSON.stringify(script));
    const readText = (path: string) => readFile(path, 'utf8');
    const opened = await openModel('scripted/script.json', {}, { baseDir: folder, readText });
    if (!opened.ok) throw new Error(opened.error.message);
    return { model: opened.value, close: () => rm(folder, { recursive: true }) };
  },
});

protocols.forEach((protocol, i) => {
  modelConformance({
    name: protocol.provider,
    sendsBrokenArguments: protocol.provider !== 'google',
    async open(script) {
      const { model, server } = await openLoopback(protocol, { script, seed: 100 + i, chunkBytesMax: 12 });
      return { model, close: server.close };
    },
  });
});
