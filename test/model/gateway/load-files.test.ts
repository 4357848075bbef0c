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

const pictures = (messages: readonly Message[]) =>
  messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap((one) => one.attachments ?? []);

/** In the order of reading, what became of each: its bytes, or a word of what is told. */
it.each<[string, readonly Message[], readonly string[]]>([
  ['all that find room', [read('a', 9), read('b', 9)], ['bytes', 'bytes']],
  [
    'the newest, where not all do',
    [read('a', 9), read('b', 1), read('c', 9), read('d', 9)],
    ['not shown any more', 'bytes', 'bytes', 'bytes'],
  ],
  [
    'one that was read several times, each time',
    [read('a', 9), read('b', 1), read('a', 9)],
    ['bytes', 'bytes', 'bytes'],
  ],
  [
    'the last reading, where there is no room for all',
    [read('b', 1), read('a', 9.4), read('a', 9.4), read('a', 9.4)],
    ['bytes', 'shown further below', 'bytes', 'bytes'],
  ],
  [
    'another file before an earlier reading of the same',
    [read('b', 9), read('a', 9), read('a', 9), read('a', 9)],
    ['bytes', 'shown further below', 'shown further below', 'bytes'],
  ],
])('of the attachments of a request are shown: %s', async (_name, messages, expected) => {
  const blob = async () => new Uint8Array(1);
  const files = await loadFiles({ system: '', tools: [], messages }, 'anthropic/claude-sonnet-5', { blob });
  const became = pictures(messages).map((one) => files.get(one));
  became.forEach((file, i) => {
    if (expected[i] === 'bytes') expect(file).toEqual(new Uint8Array(1));
    else expect(file).toContain(expected[i]);
  });
  expect(became).toHaveLength(expected.length);
});

it('a content is loaded once, however often it was read', async () => {
  const asked: string[] = [];
  const blob = async (hash: string) => {
    asked.push(hash);
    return new Uint8Array(1);
  };
  await loadFiles({ system: '', tools: [], messages: [read('a', 1), read('a', 1)] }, 'anthropic/claude-sonnet-5', {
    blob,
  });
  expect(asked).toEqual(['a']);
});
