/** What every request carries before a word of the conversation: the system prompt and the core tools. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Row, Stage } from '../row.ts';
import { endedWell, startAgent } from '../stage/agent.ts';
import { startModelServer } from '../stage/model-server.ts';
import { makeRepository } from '../stage/repository.ts';

export interface PromptSize {
  readonly system: number;
  readonly tools: number;
}

/** Where the part begins that differs from one project to the next. */
const PROJECT = '\n\nWorkspace: ';

/** Bytes on the wire of the first request: the system message without the project's part, and the tools as JSON. */
export async function promptSize(stage: Stage): Promise<PromptSize> {
  const cwd = path.join(stage.folder, 'prompt');
  mkdirSync(cwd);
  makeRepository(cwd, 30);
  const server = await startModelServer(() => ({ text: 'done' }));
  await endedWell(startAgent(stage, { cwd, env: server.env }));
  await server.close();
  const request = JSON.parse(server.exchanges[0]?.body ?? '{}') as {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly tools: unknown;
  };
  const system = request.messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const own = system.join('\n').split(PROJECT)[0] ?? '';
  return { system: Buffer.byteLength(own), tools: Buffer.byteLength(JSON.stringify(request.tools)) };
}

export const prompt: Row = {
  id: 'prompt',
  async run(stage) {
    const { system, tools } = await promptSize(stage);
    const note = `system ${system}, tools ${tools}`;
    return [
      {
        name: 'system prompt and core tools',
        unit: 'bytes',
        belay: system + tools,
        baseline: null,
        bound: 5_000,
        note,
      },
    ];
  },
};
