/** The exit codes of the command line, as data: the program, its help and `docs/exit-codes.md` are made from this table. */
export interface ExitCode {
  readonly code: number;
  readonly name: string;
  readonly meaning: string;
  /** What to do next. */
  readonly next: string;
}

export const exitCodes: readonly ExitCode[] = [
  {
    code: 0,
    name: 'done',
    meaning:
      'The completion gate accepted the work (`verified: true`), or no check is declared and the turn ended by itself (`verified: null`).',
    next: 'Look at the change: `belay diff SESSION`.',
  },
  {
    code: 1,
    name: 'error',
    meaning: 'Anything that no other code names.',
    next: 'Read the message; `belay log SESSION` shows what happened.',
  },
  {
    code: 10,
    name: 'approval',
    meaning: 'An approval or a question is open. Nothing runs until a person answers.',
    next: '`belay approve SESSION` or `belay deny SESSION`, then `belay resume SESSION`.',
  },
  {
    code: 11,
    name: 'unknown outcome',
    meaning: 'It is not known whether an effect happened, and the world cannot tell.',
    next: 'Look, then `belay settle SESSION ACTION applied|not-applied|unknown`, then `belay resume SESSION`.',
  },
  {
    code: 12,
    name: 'handed off',
    meaning: 'The rules for progress or failures handed the turn to the user.',
    next: 'Read the reason, help, then `belay resume SESSION "what to do instead"`.',
  },
  {
    code: 13,
    name: 'not accepted',
    meaning: 'A check is declared and the work was not accepted by it.',
    next: '`belay log SESSION` names the check and its result; `belay resume SESSION "…"` goes on.',
  },
  {
    code: 41,
    name: 'auth',
    meaning: 'The provider refused the key, or the key is missing.',
    next: 'Set the key that the message names.',
  },
  {
    code: 42,
    name: 'usage',
    meaning: 'The command line or its input is wrong.',
    next: 'Read the message and `--help`.',
  },
  {
    code: 44,
    name: 'sandbox',
    meaning: 'The sandbox does not work here, and it is required, or commands would run as root without it.',
    next: '`belay doctor` says what is missing; `--sandbox off` does without it.',
  },
  {
    code: 52,
    name: 'configuration',
    meaning: 'The configuration is wrong: no model, an unknown provider, no known price for a cost limit.',
    next: 'The message names the option and the variable to set.',
  },
  {
    code: 53,
    name: 'budget',
    meaning: 'A limit was reached. Nothing is lost; this is a pause.',
    next: '`belay resume SESSION` with a higher limit, for example `--max-rounds 160`.',
  },
  {
    code: 54,
    name: 'tool',
    meaning: 'A tool that Belay needs is missing or broken.',
    next: '`belay doctor` says which.',
  },
  {
    code: 55,
    name: 'untrusted',
    meaning: 'The configuration of the repository would start something that is not trusted, and trust was demanded.',
    next: '`belay trust` shows what it would start, and asks.',
  },
  {
    code: 56,
    name: 'store',
    meaning: 'The session’s store is locked by another process, damaged, full or not writable.',
    next: 'The message names the holder, the damage or the folder.',
  },
  {
    code: 57,
    name: 'provider',
    meaning: 'The model provider is not available or refused the request.',
    next: '`belay resume SESSION` when it is back.',
  },
  {
    code: 130,
    name: 'interrupted',
    meaning: 'Stopped by Ctrl-C (SIGINT). A second one ends at once; what still ran is killed and named.',
    next: '`belay resume SESSION` goes on.',
  },
  { code: 143, name: 'terminated', meaning: 'Stopped by SIGTERM.', next: '`belay resume SESSION` goes on.' },
];

/** Where several apply, the first of these wins; every other code comes after them. */
export const precedence: readonly number[] = [130, 143, 56, 11, 10, 53, 12, 13];

/** The one code that is reported where several apply; 0 where none does. */
export function worstOf(codes: readonly number[]): number {
  const failing = codes.filter((code) => code !== 0);
  return precedence.find((code) => failing.includes(code)) ?? failing[0] ?? 0;
}
