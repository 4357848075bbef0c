/** Programs that delete or overwrite files. */
import type { FileWrite, Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { findOption } from './options.ts';
import { placedFiles } from './placed-files.ts';

const operandsOf = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words.slice(1).filter(({ text }) => !text.startsWith('-') || text === '-');

export function fileProfile(program: string, words: readonly ShellWord[]): Profile | null {
  const operands = operandsOf(words);
  const names = operands.map(({ text }) => text).join(' ');
  const shown = names || 'its operands';
  const inBrackets = names && ` (${names})`;
  switch (program) {
    case 'rm':
    case 'grm':
    case 'trash':
      if (findOption(words.slice(1), { short: 'rR', long: ['--recursive', '--no-preserve-root'] }) !== null) {
        return { loses: `rm deletes ${shown} with everything below` };
      }
      return words.some(({ kind }) => kind !== 'literal')
        ? { loses: `rm deletes whatever ${shown} stands for` }
        : { hazard: `rm deletes ${shown}` };
    case 'gio':
      return /^(trash|remove|move|copy|save|rename)$/.test(operands[0]?.text ?? '') || operands[0]?.kind !== 'literal'
        ? { hazard: `gio deletes or overwrites files by its words${inBrackets}` }
        : {};
    case 'shred':
    case 'srm':
    case 'truncate':
    case 'wipe':
      return { loses: `${program} destroys the content of ${shown}` };
    case 'dd':
      return { loses: `dd overwrites what it writes to${inBrackets}` };
    case 'wipefs':
    case 'fdisk':
    case 'sfdisk':
    case 'gdisk':
    case 'sgdisk':
    case 'parted':
    case 'mkswap':
    case 'blkdiscard':
    case 'format':
      return { loses: `${program} destroys what is on ${shown}` };
    case 'fallocate':
      return { loses: `fallocate may take from the content of ${shown}` };
    case 'sponge':
    case 'tee': {
      const option = findOption(words.slice(1), { short: 'p', long: ['--output-error'] });
      if (option !== null) return { hazard: `${program} ${option} is not followed` };
      const append = findOption(words.slice(1), { short: 'a', long: ['--append'] }) !== null;
      return { writes: operands.map((word): FileWrite => ({ word, append, needsEdit: true })) };
    }
    case 'cp':
    case 'mv':
    case 'install': {
      const option = findOption(words.slice(1), {
        short: 'tSbsfTRrZmog',
        long: [
          '--target-directory',
          '--suffix',
          '--backup',
          '--strip-program',
          '--force',
          '--remove-destination',
          '--no-target-directory',
          '--recursive',
          '--archive',
        ],
        except: ['-r', '-R', '--recursive', '--archive', '-rp', '-pr'],
      });
      const writes = placedFiles(program, words);
      if (option !== null) return { hazard: `${program} ${option} may overwrite files`, writes };
      return operands.length === 0 || operands.some(({ kind }) => kind !== 'literal')
        ? { hazard: `what ${program} overwrites is known only when it runs`, writes }
        : { writes };
    }
    case 'ln':
      return findOption(words.slice(1), {
        short: 'fbSt',
        long: ['--force', '--target-directory', '--backup', '--suffix'],
      }) === null
        ? {}
        : { hazard: 'ln may replace a file', writes: placedFiles(program, words) };
    case 'uniq':
      return operands.length > 1 ? { hazard: 'uniq writes its second operand' } : null;
    case 'xxd':
      return operands.length > 1 || findOption(words.slice(1), { short: 'r' }) !== null
        ? { hazard: 'xxd writes a file' }
        : null;
    case 'hostname':
      return operands.length > 0 ? { hazard: 'hostname changes the name of the machine' } : null;
    default:
      return program.startsWith('mkfs') || program.startsWith('mke2fs')
        ? { loses: `${program} destroys what is on ${shown}` }
        : null;
  }
}
