import { expect, test } from 'vitest';
import { mayNameSecret, namesSecret } from '#lib';

test.each([
  ['MY_TOKEN', true, true],
  ['OPENAI_APIKEY', true, true],
  ['SENTRY_DSN', true, true],
  ['GITHUB_PAT', true, true],
  ['SESSION_COOKIES', true, true],
  ['AUTHOR', false, true],
  ['KEYBOARD', false, true],
  ['PASSWD1', false, true],
  ['DATABASE_URL', false, false],
  ['DOTNET_ROOT', false, false],
  ['PATH', false, false],
])('%s: certain %s, possible %s', (name, certain, possible) => {
  expect([namesSecret(name), mayNameSecret(name)]).toEqual([certain, possible]);
});
