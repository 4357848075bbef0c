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
  PIN_TOKEN: '12345678901',
  TINY_TOKEN: 'ab1 ',
  WORDY_SECRET: 'correct horse battery',
  TWO_LINES_KEY: 'first-line-of-key16\nshort',
  LONG_TOKEN: `long1${'x'.repeat(16 * 1024)}`,
  EDGE_TOKEN: `edge1${'y'.repeat(16 * 1024 - 5)}`,
  LONGER_TOKEN: 'Zm9vYmFyLXRva2Vu42-and-more',
  EIGHT_TOKEN: 'abcd1234',
  LINES_KEY: 'exactly-16-signs\nx',
  OUTER_TOKEN: 'outer-Zm9vYmFyLXRva2Vu42-outer',
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
    [
      'key whose beginning is missing',
      `before\n${'MIIEowIBAAKCAQEA'}\nabcdEFGH12345678==\n-----END RSA PRIVATE KEY-----\nafter`,
      'before\n[secret:private-key]\nafter',
    ],
    [
      'key whose beginning is missing, with numbers of lines',
      'a word\n     2\tMIIEowIBAAKCAQEA\r\n    3→abcdEFGH12345678\n4: -----END PRIVATE KEY-----',
      'a word\n[secret:private-key]',
    ],
    [
      'two ends, one after the other',
      'MIIEowIBAAKCAQEA\n-----END PRIVATE KEY-----\nabcdEFGH12345678\n-----END PRIVATE KEY-----',
      '[secret:private-key]\n[secret:private-key]',
    ],
    ['an end alone', '-----END PRIVATE KEY-----\nMIIEowIBAAKCAQEA', '[secret:private-key]\nMIIEowIBAAKCAQEA'],
    ['an end behind an empty line', '\n-----END PRIVATE KEY-----', '\n[secret:private-key]'],
    ['an end behind other words', 'short\n-----END PRIVATE KEY-----', 'short\n[secret:private-key]'],
    ['password in an address', 'postgres://me:pa55w0rd@db/x', 'postgres://me:[secret:url-password]@db/x'],
    ['GitLab', `glpat-${'a'.repeat(20)}`, '[secret:gitlab-token]'],
    ['Google', `AIza${'b-_'.repeat(11)}cc`, '[secret:google-key]'],
    ['Slack', 'xoxb-1234567890-abc', '[secret:slack-token]'],
    ['Slack, of an app', `xapp-1-${'A1'.repeat(10)}`, '[secret:slack-token]'],
    ['Hugging Face', `hf_${'aB'.repeat(17)}`, '[secret:huggingface-token]'],
    ['DigitalOcean', `dop_v1_${'0f'.repeat(32)}`, '[secret:digitalocean-token]'],
    ['Docker', `dckr_pat_${'aB3'.repeat(7)}`, '[secret:docker-token]'],
    ['Shopify', `shpat_${'0aF9'.repeat(8)}`, '[secret:shopify-token]'],
    ['Atlassian', `ATATT3${'aB-_'.repeat(10)}`, '[secret:atlassian-token]'],
    ['Google, of a client', `GOCSPX-${'aB-_'.repeat(7)}`, '[secret:google-key]'],
    ['NVIDIA', `nvapi-${'aB-_'.repeat(10)}`, '[secret:api-key]'],
    ['xAI', `xai-${'aB3_'.repeat(10)}`, '[secret:api-key]'],
    ['Groq', `gsk_${'aB3d'.repeat(10)}`, '[secret:api-key]'],
    ['age', `AGE-SECRET-KEY-1${'A0'.repeat(25)}`, '[secret:age-key]'],
    ['npm', `npm_${'c'.repeat(36)}`, '[secret:npm-token]'],
    ['PyPI', `pypi-${'d'.repeat(40)}`, '[secret:pypi-token]'],
    ['Stripe', 'sk_live_0123456789abcdef', '[secret:stripe-key]'],
    ['a key with dashes', 'sk-None-abcDEF0123456789xyz', '[secret:api-key]'],
    ['a key of small letters', `sk-${'a1b2c3d4'.repeat(4)}`, '[secret:api-key]'],
    ['the same one twice', 'hunter2-and-more hunter2-and-more', '[secret:DB_PASSWORD] [secret:DB_PASSWORD]'],
    ['a JWT before other parts', `${jwt}.more.parts`, '[secret:jwt].more.parts'],
    ['a token between short parts', `a.b.${ghp}.c`, 'a.b.[secret:github-token].c'],
    [
      'a token behind a word of its run',
      `longer-than-sixteen-signs.${ghp}.c`,
      'longer-than-sixteen-signs.[secret:github-token].c',
    ],
    [
      'a variable in an address',
      'https://u:$PASSWORD@h x://u:[secret:X]@h',
      'https://u:$PASSWORD@h x://u:[secret:X]@h',
    ],
    ['two keys', `${pem} and ${pem}`, '[secret:private-key] and [secret:private-key]'],
    ['the longer one of two that begin alike', 'Zm9vYmFyLXRva2Vu42-and-more', '[secret:LONGER_TOKEN]'],
    ['eight signs', 'abcd1234', '[secret:EIGHT_TOKEN]'],
    ['a line of sixteen', 'exactly-16-signs', '[secret:LINES_KEY]'],
    ['words', 'a correct horse battery b', 'a [secret:WORDY_SECRET] b'],
    ['a line of two', 'x first-line-of-key16 short', 'x [secret:TWO_LINES_KEY] short'],
    ['the longer one of two', 'outer-Zm9vYmFyLXRva2Vu42-outer', '[secret:OUTER_TOKEN]'],
    ['as long as a value may be', `edge1${'y'.repeat(16 * 1024 - 5)}`, '[secret:EDGE_TOKEN]'],
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
    'eyJhbGciOiJIUzI1NiJ9 eyJhbGciOiJIUzI1NiJ9.short.x eyJhbGciOiJIUzI1NiJ9.not-one-either.but-three-parts',
    `12345678901, ab1 , long1${'x'.repeat(100)}`,
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

  it('where there are no variables', () => {
    const plain = createMasker({ HOME: '/home/x' });
    expect(plain.text(`a ${ghp} b`)).toBe('a [secret:github-token] b');
    expect(plain.text('undefined null')).toBe('undefined null');
  });

  it('finds a mark that it could have made itself', () => {
    expect(masker.markIn({ a: ['x [secret:GITHUB_TOKEN] y'] })).toBe('[secret:GITHUB_TOKEN]');
    expect(masker.markIn({ a: '[secret:private-key]' })).toBe('[secret:private-key]');
    expect(masker.markIn('[secret:jwt]')).toBe('[secret:jwt]');
    expect(masker.markIn('[secret:url-password]')).toBe('[secret:url-password]');
    expect(masker.markIn({ a: '[secret:OF_SOMEBODY_ELSE]' })).toBe(null);
    expect(masker.markIn({ a: '[secret:OF_SOMEBODY_ELSE] [secret:jwt]' })).toBe('[secret:jwt]');
  });
});

describe('live output', () => {
  const pieces = (...texts: readonly string[]): readonly string[] => {
    const told: string[] = [];
    const stream = masker.stream((text) => void told.push(text));
    for (const text of texts) {
      stream.push(text);
      told.push('|');
    }
    stream.end();
    return told;
  };
  it.each<[string, readonly string[], readonly string[]]>([
    ['whole lines at once', ['one\ntwo\n', 'three\n'], ['one\ntwo\n', '|', 'three\n', '|']],
    ['an unfinished line later', ['one\ntw', 'o\n'], ['one\n', '|', 'two\n', '|']],
    ['at the end', ['one'], ['|', 'one']],
    ['a line that is written over', ['10%\r20%\r', '30%'], ['10%\r20%\r', '|', '|', '30%']],
    ['a token in two pieces', [`x ${ghp.slice(0, 20)}`, `${ghp.slice(20)}\n`], ['|', 'x [secret:github-token]\n', '|']],
    [
      'a key in many lines when it is closed',
      ['a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n', 'MII\n-----END RSA PRIVATE KEY-----\nb\n'],
      ['a\n', '|', '[secret:private-key]\nb\n', '|'],
    ],
    [
      'a key that is never closed',
      ['a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n', 'more\n'],
      ['a\n', '|', '|', '[secret:private-key]'],
    ],
    ['no key but its begin', ['-----BEGIN CERTIFICATE-----\nabc\n'], ['-----BEGIN CERTIFICATE-----\nabc\n', '|']],
  ])('tells %s', (_what, texts, expected) => {
    expect(pieces(...texts)).toEqual(expected);
  });

  it('does not wait for ever for the end of a line', () => {
    expect(pieces('x'.repeat(64 * 1024))).toEqual(['|', 'x'.repeat(64 * 1024)]);
    const [first = '', , rest = ''] = pieces('x'.repeat(64 * 1024 + 1));
    expect([first.length > 32 * 1024, rest.length > 0, first.length + rest.length]).toEqual([
      true,
      true,
      64 * 1024 + 1,
    ]);
    const neverClosed = `-----BEGIN RSA PRIVATE KEY-----${'x'.repeat(64 * 1024)}`;
    expect(pieces(neverClosed)).toEqual(['|', '[secret:private-key]']);
    expect(pieces(neverClosed, 'x'.repeat(64 * 1024))).toEqual(['|', '[secret:private-key]', '|']);
    const keyOf = (length: number) => '-----BEGIN RSA PRIVATE KEY-----'.padEnd(length, 'x');
    expect(pieces(keyOf(128 * 1024))).toEqual(['|', '[secret:private-key]']);
    expect(pieces(keyOf(128 * 1024 + 1))).toEqual(['[secret:private-key]', '|']);
    // So long that a look in steps of what is kept back ends exactly at the beginning.
    expect(pieces(keyOf(rest.length * Math.ceil((128 * 1024 + 1) / rest.length)))).toEqual([
      '[secret:private-key]',
      '|',
    ]);
  });

  it.each([0, 1, 20, 39, 40, 500, 512, 530, 560])(
    'a long line is not cut inside of a secret (%d before its end)',
    (behind) => {
      const line = `${'x '.repeat(33 * 1024)}${ghp} ${'y '.repeat(behind)}`;
      for (const end of [line.length - 2 * behind - 20, line.length]) {
        const told = pieces(line.slice(0, end), `${line.slice(end)}\n`).filter((text) => text !== '|');
        expect(told.join('')).toBe(`${line.replace(ghp, '[secret:github-token]')}\n`);
      }
    },
  );
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
  const lines = ['0', '0 ', ' ', 'A', '|1'].map((piece) => [piece, '!\n-----END PRIVATE KEY-----'] as const);
  for (const [piece, end] of [...pieces.map((each) => [each, ''] as const), ...lines]) {
    const time = (units: number): number => {
      const text = piece.repeat(Math.ceil(units / piece.length)) + end;
      // The least of them is hardly touched by what else the machine does.
      const runs = [0, 1, 2, 3, 4, 5, 6].map(() => {
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
