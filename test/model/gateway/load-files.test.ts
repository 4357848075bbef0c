import { expect, it } from 'vitest';
import type { Message } from '#kernel';
import { loadFiles } from '../../../src/model/gateway/load-files.ts';

const megabyte = 1024 * 1024;
const read = (blob: string, megabytes: number): Message => ({
  role: 'tool',
  results: [
    {
      callId: 'c',
      name: 'Read',
      text: '',
      isError: false,
      attachments: [{ path: 'a.pdf', mediaType: 'application/pdf', bytes: megabytes * megabyte, blob }],
    },
  ],
});

it.each<[string, readonly Message[], readonly string[]]>([
  ['all that find room', [read('a', 9), read('b', 9)], ['b', 'a']],
  ['the newest, where not all do', [read('a', 9), read('b', 1), read('c', 9), read('d', 9)], ['d', 'c', 'b']],
  ['one that is sent several times, by what all of them take', [read('a', 9), read('b', 1), read('a', 9)], ['a', 'b']],
  ['none that is sent more often than there is room', [read('b', 1), read('a', 9), read('a', 9), read('a', 9)], ['b']],
])('of the attachments of a request are shown: %s', async (_name, messages, shown) => {
  const blob = async () => new Uint8Array(1);
  const files = await loadFiles({ system: '', tools: [], messages }, 'anthropic/claude-sonnet-5', { blob });
  expect([...files.keys()]).toEqual(shown);
});
