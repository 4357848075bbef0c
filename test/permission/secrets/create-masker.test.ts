import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { createMasker } from '../../../src/permission/secrets/create-masker.ts';

const env = {
  GITHUB_TOKEN: 'Zm9vYmFyLXRva2Vu42',
  DB_PASSWORD: 'hunter2-and-more',
  OPENAI_API_KEY: 'plain.key(with)[signs]*1',
  DEPLOY_KEY: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n-----END OPENSSH PRIVATE KEY-----',
  KEYBOARD: 'us-layout-1234567',
  SSH_AUTH_SOCK: '/tmp/ssh-agent.1234',
  AUTH_MODE: 'password',
  TOKEN_COUNT: '1234',
  AUTH_URL: 'http://localhost:3000',
  HOME: '/home/someone1',
};
const masker = createMasker(env);
const ghp = `ghp_${'a1B2'.repeat(9)}`;
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9';
const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----';

describe('secrets are masked', () => {
  it.each([
    ['value of a variable', 'token is Zm9vYmFyLXRva2Vu42.', 'token is [secret:GITHUB_TOKEN].'],
    ['value inside a word', 'https://x?t=Zm9vYmFyLXRva2Vu42&y', 'https://x?t=[secret:GITHUB_TOKEN]&y'],
    ['signs of patterns', 'a plain.key(with)[signs]*1 b', 'a [secret:OPENAI_API_KEY] b'],
    ['one line of a longer value', 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU', '[secret:DEPLOY_KEY]'],
    ['GitHub', `a ${ghp} b`, 'a [secret:github-token] b'],
    ['AWS', 'key=AKIAIOSFODNN7EXAMPLE;', 'key=[secret:aws-key];'],
    ['OpenAI', `"sk-proj-${'Ab1_'.repeat(8)}"`, '"[secret:api-key]"'],
    ['Anthropic', `sk-ant-api03-${'x'.repeat(30)}`, '[secret:api-key]'],
    ['JWT', `Bearer ${jwt}`, 'Bearer [secret:jwt]'],
    ['key in many lines', `before\n${pem}\nafter`, 'before\n[secret:private-key]\nafter'],
    ['key whose end is missing', 'x -----BEGIN PRIVATE KEY-----\nabc', 'x [secret:private-key]'],
    ['password in an address', 'postgres://me:pa55w0rd@db/x', 'postgres://me:[secret:url-password]@db/x'],
    ['several', `${ghp} and hunter2-and-more`, '[secret:github-token] and [secret:DB_PASSWORD]'],
  ])('%s', (_name, text, expected) => {
    expect(masker.text(text)).toBe(expected);
    expect(masker.text(expected)).toBe(expected);
  });

  it.each([
    'the password is asked, us-layout-1234567, 1234, /tmp/ssh-agent.1234, http://localhost:3000, /home/someone1',
    'task-sk-list, sk-loading-indicator-circle-wrapper, some.module.name.that_is_long_enough_1',
    `sha ${'0123456789abcdef'.repeat(4)}, ${'A'.repeat(64)}, eyJ.not.one`,
    '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----, git@github.com:a/b.git, http://h:8080/@x',
    '[secret:GITHUB_TOKEN] and [secret:jwt]',
  ])('and nothing else: %s', (text) => {
    expect(masker.text(text)).toBe(text);
  });

  it('in values, names of fields staying', () => {
    expect(masker.json({ [ghp]: [ghp, 1, null, true], b: { c: `x ${ghp}` } })).toEqual({
      [ghp]: ['[secret:github-token]', 1, null, true],
      b: { c: 'x [secret:github-token]' },
    });
  });

  it('in bytes, those that are no text staying', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0, 0x80]);
    expect(masker.bytes(bytes)).toBe(bytes);
    const apart = Buffer.concat([Buffer.from([0xff, 0x20]), Buffer.from(ghp), Buffer.from([0x20, 0x80])]);
    expect(Buffer.from(masker.bytes(apart)).toString('latin1')).toBe('\xff [secret:github-token] \x80');
    const accent = createMasker({ MY_TOKEN: 'pässwörd-123' });
    expect(Buffer.from(accent.bytes(Buffer.from('x pässwörd-123 ü'))).toString()).toBe('x [secret:MY_TOKEN] ü');
  });

  it('finds a mark that it could have made itself', () => {
    expect(masker.markIn({ a: ['x [secret:GITHUB_TOKEN] y'] })).toBe('[secret:GITHUB_TOKEN]');
    expect(masker.markIn({ a: '[secret:private-key]' })).toBe('[secret:private-key]');
    expect(masker.markIn({ a: '[secret:OF_SOMEBODY_ELSE]' })).toBe(null);
  });
});

const streamed = (pieces: readonly string[]): string => {
  let told = '';
  const stream = masker.stream((text) => {
    told += text;
  });
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return told;
};
const word = fc.constantFrom(
  ghp,
  jwt,
  pem,
  'Zm9vYmFyLXRva2Vu42',
  'hunter2-and-more',
  'text',
  '\n',
  ' ',
  '=',
  '-----BEGIN ',
  'é',
);

property.prop([fc.array(word, { maxLength: 12 }), fc.array(fc.nat(400), { maxLength: 8 })])(
  'a stream in any pieces is masked as the whole is',
  (words, cuts) => {
    const whole = words.join('');
    const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
    const pieces = at.slice(1).map((to, i) => whole.slice(at[i], to));
    const told = streamed(pieces);
    for (const secret of [ghp, jwt, 'Zm9vYmFyLXRva2Vu42', 'hunter2-and-more', 'MIIEowIBAAKCAQEA']) {
      if (!masker.text(whole).includes(secret)) expect(told).not.toContain(secret);
    }
  },
);

it('the work grows linearly, also with texts made to hold it up', () => {
  const pieces = ['eyJaaaaaaaaaaaa', 'eyJaaaaaaaaaaaa.', '://a:', '-----BEGIN PRIVATE KEY-----', 'sk-', 'a.', 'ghp_'];
  for (const piece of pieces) {
    const time = (units: number): number => {
      const text = piece.repeat(Math.ceil(units / piece.length));
      const runs = [0, 1, 2].map(() => {
        const before = performance.now();
        masker.text(text);
        return performance.now() - before;
      });
      return Math.min(...runs);
    };
    const [small, large] = [time(200_000), time(1_600_000)];
    // Eight times the text; a quadratic search would take 64 times as long.
    expect(large).toBeLessThan(Math.max(small, 3) * 40);
  }
});
