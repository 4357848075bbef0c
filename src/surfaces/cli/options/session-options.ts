/** The options that `run` and `resume` share, and the settings they stand for. */
import type { Command } from 'commander';
import type { Check, Limits, PermissionMode, Price, SandboxMode } from '#kernel';
import { CommandError } from '../command-error.ts';
import type { CliDeps, SettingsChange } from '../contract.ts';
import {
  amountOf,
  checkOf,
  classifierOf,
  countOf,
  durationMsOf,
  formatOf,
  modelOf,
  modeOf,
  type OutputFormat,
  priceOf,
  sandboxOf,
  switchOf,
} from './values.ts';

export interface SessionOptions {
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly allow?: readonly string[];
  readonly check?: readonly Check[];
  readonly checkExit?: readonly Check[];
  readonly maxRounds?: number;
  readonly maxSteps?: number;
  readonly maxToolCalls?: number;
  readonly maxCost?: number;
  readonly price?: Price;
  readonly maxTime?: number;
  readonly sandbox?: SandboxMode;
  readonly sandboxNetwork?: boolean;
  readonly classifier?: 'rules' | 'off';
  readonly requireTrust?: boolean;
  readonly outputFormat: OutputFormat;
  readonly verbose?: boolean;
  readonly headless?: boolean;
}

/** Limits of a new session where no option says otherwise. */
export const defaultLimits: Limits = { maxRounds: 80, maxElapsedMs: 30 * 60_000 };

export function withSessionOptions(command: Command): Command {
  const append =
    <T>(read: (text: string) => T) =>
    (text: string, before: readonly T[] | undefined) =>
      [...(before ?? []), read(text)] as const;
  return command
    .option('--model <PROVIDER/MODEL>', 'the model (else BELAY_MODEL)', modelOf)
    .option('--permission-mode <MODE>', 'default, plan, acceptEdits, dontAsk or bypassPermissions', modeOf)
    .option('--allow <RULE>', 'permit matching calls, for example "Edit(src/**)" (repeatable)', append(String))
    .option(
      '--check <CMD>',
      'acceptance: this command must pass with at least one test (repeatable)',
      append((text) => checkOf('--check', text, true)),
    )
    .option(
      '--check-exit <CMD>',
      'acceptance by exit code alone, for a check that counts nothing (repeatable)',
      append((text) => checkOf('--check-exit', text, false)),
    )
    .option('--max-rounds <N>', 'model answers in this turn (80)', (text) => countOf('--max-rounds', text))
    .option('--max-steps <N>', 'the same as --max-rounds', (text) => countOf('--max-steps', text))
    .option('--max-tool-calls <N>', 'tool calls in this turn', (text) => countOf('--max-tool-calls', text))
    .option('--max-cost <USD>', 'cost of this turn', (text) => amountOf('--max-cost', text))
    .option('--price <IN/OUT>', 'price of the model in USD per million tokens', priceOf)
    .option('--max-time <DURATION>', 'time of this turn, for example 30m', (text) => durationMsOf('--max-time', text))
    .option('--sandbox <MODE>', 'auto (where it works), required or off', sandboxOf)
    .option('--sandbox-network <SWITCH>', 'on or off (off): network for commands in the sandbox', (text) =>
      switchOf('--sandbox-network', text),
    )
    .option('--output-format <FORMAT>', 'text, json or stream-json', formatOf, 'text')
    .option('--classifier <NAME>', 'rules or off: what may answer for you while you are asked (rules)', classifierOf)
    .option('--require-trust', 'exit 55 where the repository would start what is not trusted')
    .option('--headless', 'ask nobody, also on a terminal')
    .option('--verbose', 'one line per fact on standard error');
}

/** The settings that the given options stand for; what was not given is absent. */
export async function settingsOf(options: SessionOptions, deps: CliDeps): Promise<SettingsChange> {
  for (const rule of options.allow ?? []) {
    const fault = await deps.ruleFault(rule);
    if (fault !== null) throw new CommandError(42, `--allow: ${fault}`);
  }
  const checks = [...(options.check ?? []), ...(options.checkExit ?? [])];
  const rounds = options.maxRounds ?? options.maxSteps;
  const limits: Limits = {
    ...(rounds === undefined ? {} : { maxRounds: rounds }),
    ...(options.maxToolCalls === undefined ? {} : { maxToolCalls: options.maxToolCalls }),
    ...(options.maxCost === undefined ? {} : { maxCostUsd: options.maxCost }),
    ...(options.maxTime === undefined ? {} : { maxElapsedMs: options.maxTime }),
  };
  return {
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.permissionMode === undefined ? {} : { mode: options.permissionMode }),
    ...(options.allow === undefined ? {} : { allow: options.allow }),
    ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
    ...(options.sandboxNetwork === undefined ? {} : { sandboxNetwork: options.sandboxNetwork }),
    ...(checks.length === 0 ? {} : { checks }),
    ...(options.price === undefined ? {} : { price: options.price }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}
