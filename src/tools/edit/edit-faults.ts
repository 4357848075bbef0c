/** Why an edit was refused, in words that lead to the next call. */
import { type Failure, makeFailure } from '#kernel';
import type { Mask } from '../text/masked-part.ts';
import { ambiguousMax } from './find-places.ts';
import { nearestLines } from './nearest-lines.ts';
import type { Edit, EditedFile, SpliceFault } from './splice.ts';

const textNotFound = 'edit text not found';
export const notFoundSignature = `precondition: ${textNotFound}`;

/** `where` names the edit of several, such as `edits[2].`; empty for a single one. */
export function editFailure(
  path: string,
  file: EditedFile,
  edit: Edit,
  fault: SpliceFault,
  where: string,
  mask?: Mask,
): Failure {
  const [old, fresh] = [`${where}old_string`, `${where}new_string`];
  const refusal = (message: string, next: string, signature: string) => {
    // Behind lines of the file it must not look like one more word of the last.
    const none = where === '' ? '' : `${message.includes('\n') ? '\n' : ' '}Nothing was changed.`;
    return makeFailure('precondition', `${message}${none}`, next, { signature: `precondition: ${signature}` });
  };
  switch (fault.code) {
    case 'empty':
      return refusal(
        `${old} is empty; ${path} was not changed.`,
        file.text === '' ? 'The file is empty: fill it with Write.' : 'Send the text that is to be replaced.',
        'edit of nothing',
      );
    case 'equal':
    case 'no-change':
      return refusal(
        `${old} and ${fresh} are equal; ${path} would not change.`,
        'Send the text that is to be there instead.',
        'edit without change',
      );
    case 'ambiguous': {
      const more = fault.lines.length >= ambiguousMax ? ' and more' : '';
      return refusal(
        `${old} occurs ${fault.lines.length}${more} times in ${path}, at lines ${fault.lines.join(', ')}${more}.`,
        'Add lines around it until it is the only one, or set replace_all.',
        'edit ambiguous',
      );
    }
    case 'not-found': {
      const { message, next } = notFound(path, file.text, edit.oldText, old, mask);
      return refusal(message, next, textNotFound);
    }
    case 'inexpressible':
      return refusal(
        `${path} is encoded as ${file.encoding}, which has no form for a character of ${fresh}.`,
        'Use characters that it has.',
        'encoding',
      );
    case 'guessed':
      return refusal(
        `${path} is neither Unicode nor surely ${file.encoding}; ${fresh} has a character that may mean another one there.`,
        'Change only ASCII and characters of old_string, or use a Bash command that names the encoding.',
        'encoding',
      );
    case 'inside':
      return refusal(
        `The encoding of ${path} is not sure, and ${old} begins right behind a character that is not ASCII; it may be the half of one.`,
        'Begin old_string further to the left, or use a Bash command that names the encoding.',
        'encoding',
      );
    case 'not-exact':
      return refusal(
        `${path} (${file.encoding}) cannot be rewritten without touching bytes outside the edit.`,
        'Change it with a Bash command.',
        'encoding',
      );
  }
}

function notFound(
  path: string,
  content: string,
  wanted: string,
  name: string,
  mask?: Mask,
): { message: string; next: string } {
  const numbered = /^ *\d+\t/m.test(wanted) ? ' It seems to hold line numbers of Read: leave them out.' : '';
  const near = nearestLines(content, wanted.replaceAll(/^ *\d+\t/gm, ''), mask);
  const where =
    near === null
      ? ''
      : near.whiteSpaceOnly
        ? ` Line ${near.line} differs in white space only:\n${near.excerpt}`
        : ` The nearest lines are:\n${near.excerpt}`;
  return {
    message: `${name} was not found in ${path}.${numbered}${where}`,
    next: near === null ? `Read ${path} again and copy the text exactly.` : 'Copy the text from there exactly.',
  };
}
