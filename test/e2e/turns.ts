/** Turns of scripts that several suites play. */
export const read = (file_path: string) => ({ calls: [{ tool: 'Read', args: { file_path } }] });
export const say = (text: string) => ({ text });
export const test = { calls: [{ tool: 'Test', args: {} }] };
export const bash = (command: string) => ({ calls: [{ tool: 'Bash', args: { command } }] });
export const edit = (file_path: string, old_string: string, new_string: string) => ({
  calls: [{ tool: 'Edit', args: { file_path, old_string, new_string } }],
});

/** Fixes the demo's repository: read, edit, test, answer. */
export const fix = [
  read('src/slugify.js'),
  edit('src/slugify.js', "words.join('_')", "words.join('-')"),
  test,
  say('Words are joined with hyphens now.'),
];
