/** What the model is told of a command that ended: what it printed, how it ended, and what it should know besides. */
import type { ProcessResult } from '#workspace';
import type { AttemptContext, ToolOutcome } from '../contract.ts';
import { afterwards, endOf, provenanceOf } from '../process/attempt-process.ts';
import { sandboxLines } from '../process/sandbox-lines.ts';
import { shownOutput } from '../text/shown-output.ts';
import { inputHint } from './input-hint.ts';
import { folderChange, folderLine, type WorkingFolder } from './working-folder.ts';

/** Characters of output that the model is shown; the rest is kept beside the ledger. */
const previewLength = 30_000;

export function commandOutcome(
  result: ProcessResult,
  timeoutMs: number,
  context: AttemptContext,
  folder: WorkingFolder,
): ToolOutcome {
  const end = endOf(result, timeoutMs);
  const { text, isCut } = outputText(result, context);
  const where = folderLine(folder);
  const hint = inputHint(text, endOfOutput(result), result.exitCode, result.state === 'timed-out');
  const lines = [text, end.line, ...sandboxLines(result, text)];
  if (hint !== null) lines.push(hint);
  if (where !== null) lines.push(where);
  return {
    status: end.status,
    output: lines.join('\n'),
    provenance: provenanceOf(result),
    ...afterwards(result),
    ...folderChange(folder, context),
    ...(end.failure === undefined ? {} : { failure: end.failure }),
    ...(end.data === undefined ? {} : { data: end.data }),
    ...(result.exitCode === null ? {} : { exitCode: result.exitCode }),
    ...(isCut ? { full: result.output } : {}),
  };
}

function outputText(
  result: ProcessResult,
  { actionId, mask }: Pick<AttemptContext, 'actionId' | 'mask'>,
): { readonly text: string; readonly isCut: boolean } {
  const { errors } = result;
  const limit = errors === undefined ? previewLength : previewLength / 2;
  const shown = shownOutput(result.output, limit, mask, result.outputBytes);
  const rest =
    shown.omitted > 0
      ? `\n(any part of all ${result.outputBytes} bytes: TaskOutput with task_id call_${actionId} and an offset)`
      : '';
  const text = `${orNothing(shown.text)}${rest}`;
  if (errors === undefined) return { text, isCut: shown.omitted > 0 };
  const other = shownOutput(errors.output, limit, mask, errors.outputBytes);
  const cut =
    other.omitted > 0 ? `\n(of ${errors.outputBytes} bytes; without separate_output any part can be read)` : '';
  return { text: `stdout:\n${text}\nstderr:\n${orNothing(other.text)}${cut}`, isCut: shown.omitted > 0 };
}

/** Bytes that hold the last line of a question. */
const END_BYTES = 200;
const endOfOutput = ({ output, errors }: ProcessResult): string =>
  Buffer.from((errors?.outputBytes ? errors.output : output).subarray(-END_BYTES)).toString('latin1');

const orNothing = (text: string): string => (text.trim() === '' ? '(no output)' : text);
