import { describe, expect, it } from 'vitest';
import { ruleWarning } from '../../../src/permission/rules/rule-warning.ts';

describe('ruleWarning', () => {
  it.each([
    ['Bash', 'every command'],
    ['Bash(*)', 'every command'],
    ['Test', 'every command'],
    ['Bash(python3:*)', 'every script'],
    ['Bash(bash *)', 'every script'],
    ['Bash(npm run:*)', 'the repository'],
    ['Bash(npx *)', 'the repository'],
    ['Bash(make *)', 'the repository'],
    ['Bash(sudo *)', 'allows nothing'],
    ['Bash(timeout:*)', 'needs a rule of its own'],
    ['Bash(rm -rf *)', 'asks every time'],
    ['Bash(rm -r build)', 'asks every time'],
    ['Bash(git reset --hard)', 'asks every time'],
    ['Bash(curl*)', 'allows curl alone'],
    ['Read(~/x)', 'in the workspace'],
    ['Edit(//tmp/**)', 'in the workspace'],
    ['Bash(npm install *)', 'allows nothing: npm install installs'],
    ['Bash(pip install:*)', 'allows nothing'],
    ['Bash(git rebase *)', 'allows nothing: git rebase rewrites commits'],
    ['Bash(git -C src *)', 'allows nothing'],
    ['Bash(go run *)', 'allows nothing'],
    ['Bash(bash -c *)', 'allows nothing'],
    ['Bash(node -e *)', 'allows nothing'],
    ['Bash(sed -i *)', 'allows nothing'],
    ['Bash(eval *)', 'allows nothing'],
    ['Bash(gh api *)', 'allows nothing'],
    ['Bash(bundle exec *)', 'allows nothing: bundle exec installs or runs other code, so only'],
    ['Bash(coverage run -p *)', 'allows nothing: coverage runs what it reads'],
    ['Bash(bun run *)', 'allows nothing: it does not name the program that is run, so only'],
    ['Bash(uv run *)', 'allows nothing'],
    ['Bash(docker compose up*)', 'allows nothing: it gives other rights'],
    ['Bash(npm install x*)', 'allows nothing'],
    ['Bash(python3 -m *)', 'allows nothing'],
    ['Bash(coverage run *)', 'allows nothing'],
    ['Edit(.git/**)', 'files of git are not edited'],
    ['Write(./.git/config)', 'files of git are not edited'],
    ['Edit(.claude/*)', 'asks every time'],
    ['Edit(/.husky)', 'asks every time'],
    ['WebFetch', 'nothing to match'],
    ['Agent(explore)', 'nothing to match'],
  ])('%s: %s', async (rule, words) => {
    expect(await ruleWarning(rule)).toContain(words);
  });
  it.each([
    'Bash(npm test)',
    'Bash(git diff *)',
    'Bash(npm run build *)',
    'Bash(python3 -m pytest *)',
    'Edit',
    'Edit(**)',
    'Bash(npm run test*)',
    'Bash(npm install)',
    'Bash(uv run pytest *)',
    'Bash(uv run bash *)',
    'Bash(git diff --st*)',
    'Bash(bundle exec rspec *)',
    'Bash(python3 -m pytest *)',
    'Bash(npm inst*)',
    'Bash(git config *)',
    'Bash(git notes *)',
    'Bash(git submodule *)',
    'Bash(awk *)',
    'Bash(git *)',
    'Bash(tar *)',
    'Bash(find *)',
    'Bash(sed *)',
    'Bash(pip *)',
    'Bash(cargo *)',
    'Bash(gh *)',
    'Bash(curl *)',
    'Bash(./x *)',
    'Edit(src/.git*)',
    'Read(.git/**)',
    'Read(.claude/**)',
    'mcp__server__tool',
    'Bash(',
  ])('%s is what it seems', async (rule) => {
    expect(await ruleWarning(rule)).toBeNull();
  });
  const anyTime = 'asks every time all the same';
  const exactly = 'so only a rule for exactly its words counts';
  it.each([
    ['Bash(rm *)', `allows nothing: rm deletes its operands, ${exactly}`],
    ['Bash(rm -f *)', `allows nothing: rm deletes its operands, ${exactly}`],
    ['Bash(rm -r *)', `${anyTime}: rm deletes its operands with everything below`],
    ['Bash(gio trash *)', `allows nothing: gio deletes or overwrites files by its words (trash), ${exactly}`],
    ['Bash(gio *)', null],
    ['Bash(dd *)', `${anyTime}: dd overwrites what it writes to`],
    ['Bash(dd of=x)', `${anyTime}: dd overwrites what it writes to (of=x)`],
    ['Bash(shred *)', `${anyTime}: shred destroys the content of its operands`],
    ['Bash(shred x)', `${anyTime}: shred destroys the content of x`],
    ['Bash(mkfs *)', `${anyTime}: mkfs destroys what is on its operands`],
    ['Bash(fallocate -c *)', `${anyTime}: fallocate may take from the content of its operands`],
  ])('where a rule names no file, none is named: %s', async (rule, words) => {
    expect(await ruleWarning(rule)).toBe(words === null ? null : `rule ${rule} ${words}`);
  });
  it('a tool of the embedding program is there', async () => {
    for (const rule of ['WebFetch', 'WebFetch(domain:a.b)', 'Task', 'Agent(explore)']) {
      expect(await ruleWarning(rule, ['WebFetch', 'Task', 'Agent'])).toBeNull();
      expect(await ruleWarning(rule, ['WebSearch'])).toBe(
        `rule ${rule} has nothing to match: there is no tool called ${rule.replace(/\(.*/, '')} here`,
      );
    }
  });
});
