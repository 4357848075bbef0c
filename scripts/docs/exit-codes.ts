import { exitCodes, precedence } from '../../src/surfaces/view/exit-codes.ts';

/** docs/exit-codes.md, from the table that the program itself uses. */
export function exitCodesPage(): string {
  const rows = exitCodes.map(({ code, name, meaning, next }) => `| ${code} | ${name} | ${meaning} | ${next} |`);
  return `# Exit codes

<!-- Generated from src/surfaces/view/exit-codes.ts by npm run docs. -->

Every command of Belay ends with one of these. In \`--output-format json\` and \`stream-json\` the same number is
\`exit_code\` of the result object, with \`reason\` beside it.

| code | name | what it means | what to do |
| ---- | ---- | ------------- | ---------- |
${rows.join('\n')}

Where several apply, the first of ${precedence.join(', ')} is reported; every other code comes after them. Nothing is
lost by that: the result object lists open approvals (\`pending\`) and unknown outcomes (\`unknown\`) in any case.

55 comes of \`--require-trust\`, and of \`belay trust\` where nobody agreed. \`belay doctor\` uses 54. Without a sandbox a run goes on where \`--sandbox\` is \`auto\` and the user is not root.
`;
}
