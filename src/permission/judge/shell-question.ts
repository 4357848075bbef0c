import type { PermissionPorts } from '../contract.ts';
import type { Decision } from '../lattice.ts';
import type { RuleSet } from './rule-set.ts';

export interface ShellQuestion {
  /** The tool whose command rules count: `Bash` or `Test`. */
  readonly tool: string;
  readonly rules: RuleSet;
  /** The mode lets files inside the workspace be edited. */
  readonly editsAccepted: boolean;
  readonly workspace: string;
  readonly ports: PermissionPorts | null;
}

export interface Part {
  /** What was judged: a command, a file or the whole text. */
  readonly what: string;
  readonly decision: Decision;
  readonly reason: string;
}
export interface ShellJudgement {
  readonly decision: Decision;
  /** Of the part that decided. */
  readonly reason: string;
  readonly parts: readonly Part[];
}
