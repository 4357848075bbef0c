/** Syncs are counted as differences of two runs, so that what a run does once does not count. */
import type { Row, Stage } from '../row.ts';
import { type Counted, countedRun } from '../stage/counted-run.ts';
import type { Turn } from '../stage/model-server.ts';

const FEW = 4;
const MANY = 14;
const TOKENS = 400;

const write = (round: number): Turn => ({ calls: [{ tool: 'Bash', args: { command: `echo ${round} >> log.txt` } }] });
const read = (round: number): Turn => ({
  calls: [{ tool: 'Read', args: { file_path: 'README.md', offset: round + 1 } }],
});
const edit = (round: number): Turn => ({
  calls:
    round === 0
      ? [{ tool: 'Read', args: { file_path: 'README.md' } }]
      : [{ tool: 'Edit', args: { file_path: 'README.md', old_string: textAt(round - 1), new_string: textAt(round) } }],
});
const textAt = (round: number): string => (round === 0 ? 'measuring' : `measuring ${'again '.repeat(round)}!`);

export interface PerRound {
  readonly ledger: number;
  /** Bytes that the ledger grows by. */
  readonly bytes: number;
  readonly workspace: readonly string[];
}

async function perRound(stage: Stage, name: string, turnOf: (round: number) => Turn): Promise<PerRound> {
  const few: Counted = await countedRun(stage, `${name}-few`, FEW, turnOf);
  const many: Counted = await countedRun(stage, `${name}-many`, MANY, turnOf);
  return {
    ledger: (many.ledger - few.ledger) / (MANY - FEW),
    bytes: (many.ledgerBytes - few.ledgerBytes) / (MANY - FEW),
    workspace: many.workspace.slice(few.workspace.length),
  };
}

export const writingRound = (stage: Stage) => perRound(stage, 'writing', write);
export const readingRound = (stage: Stage) => perRound(stage, 'reading', read);
export const editingRound = (stage: Stage) => perRound(stage, 'editing', edit);

/** Ledger syncs that `TOKENS` tokens add to an answer. */
export async function syncsOfTokens(stage: Stage): Promise<number> {
  const text = 'word '.repeat(TOKENS);
  const whole = await countedRun(stage, 'tokens-one', 0, write, { text, deltas: 1 });
  const streamed = await countedRun(stage, 'tokens-many', 0, write, { text, deltas: TOKENS });
  return streamed.ledger - whole.ledger;
}

/** Syncs in the workspace for each edit: the file and its folder. */
export const syncsPerEdit = (round: PerRound): number => round.workspace.length / (MANY - FEW);

export const durability: Row = {
  id: 'syncs',
  async run(stage) {
    const count = { unit: 'syncs', baseline: null } as const;
    const editing = await editingRound(stage);
    return [
      { ...count, name: 'ledger syncs of a writing round', belay: (await writingRound(stage)).ledger, bound: 2 },
      { ...count, name: 'ledger syncs of a read-only round', belay: (await readingRound(stage)).ledger, bound: 1 },
      { ...count, name: `ledger syncs of ${TOKENS} tokens`, belay: await syncsOfTokens(stage), bound: 0 },
      { ...count, name: 'ledger syncs of an editing round', belay: editing.ledger, bound: 2 },
      {
        ...count,
        name: 'syncs in the workspace of an edited file (file and folder)',
        belay: syncsPerEdit(editing),
        bound: 2,
      },
    ];
  },
};
