import { describe, expect, it } from 'vitest';
import { startedByScript } from '../../../src/permission/trust/started-by-script.ts';

describe('what a shell script starts or reads by a literal path', () => {
  it.each<[string, string, readonly string[]]>([
    ['. lib.sh', 'a source', ['lib.sh', 'tools/lib.sh']],
    ['  source ./lib.sh', 'the long word', ['lib.sh', 'tools/lib.sh']],
    ['set -e; . "$(dirname "$0")/lib.sh"', 'beside itself', ['lib.sh', 'tools/lib.sh']],
    ['. "${0%/*}/lib.sh"', 'beside itself, by a cut', ['lib.sh', 'tools/lib.sh']],
    ['source "${BASH_SOURCE[0]%/*}/lib.sh"', 'beside itself, in bash', ['lib.sh', 'tools/lib.sh']],
    ['. "$CLAUDE_PROJECT_DIR"/tools/lib.sh', 'from the root', ['tools/lib.sh', 'tools/tools/lib.sh']],
    [". '../shared/lib.sh'", 'above the script', ['shared/lib.sh']],
    ['if ./check.sh; then tools/x; fi', 'a program', ['check.sh', 'tools/check.sh', 'tools/x', 'tools/tools/x']],
    [
      'node --no-warnings tools/y.js && exec bash -e z.sh',
      'through an interpreter',
      ['tools/y.js', 'tools/tools/y.js', 'z.sh', 'tools/z.sh'],
    ],
    ['a=$(./inner.sh)', 'in a substitution', ['inner.sh', 'tools/inner.sh']],
    ['. "$WHERE/x" /etc/profile', 'another variable is taken for the root', ['x', 'tools/x']],
    ['A=1 B="2" ./x.sh', 'behind assignments', ['x.sh', 'tools/x.sh']],
    ['. lib-*.sh', 'no pattern', []],
    ['. ./', 'a folder is no file, and the root none', ['tools']],
    ['. $($($($($(a)))))/x', 'behind substitutions', ['x', 'tools/x']],
    ['. $($($($($($(a))))))/x', 'not behind more than anybody writes', []],
    ['. ../../out.sh', 'nothing outside', []],
    ['. /etc/profile', 'nothing of the machine', []],
  ])('%s: %s', (text, _what, expected) => {
    expect(startedByScript('tools/h.sh', `#!/bin/sh\n${text}\n`)).toEqual(expected);
  });

  it('an argument is not what is started', () => {
    expect(startedByScript('h.sh', 'grep -q x package.json\necho ./a . b\n')).not.toContain('package.json');
  });

  it.each<[string, string, boolean]>([
    ['h.sh', '. a', true],
    ['h', '. a', true],
    ['h', '#!/usr/bin/env bash\n. a', true],
    ['h.txt', '#! /bin/zsh\n. a', true],
    ['h.js', '. a', false],
    ['h', '#!/usr/bin/env node\n. a', false],
    ['h.sh', '#!/usr/bin/python3\n. a', false],
    ['h', '\0\n. a', false],
  ])('%s %j is read as shell: %s', (name, text, expected) => {
    expect(startedByScript(name, text).includes('a')).toBe(expected);
  });

  it('its own name is not found', () => {
    expect(startedByScript('h.sh', '. h.sh; ./h.sh')).toEqual([]);
  });
});
