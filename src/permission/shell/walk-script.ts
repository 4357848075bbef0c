/**
 * Walks the tree of a parsed text. Every node type that is not named here makes a doubt, so that a newer parser cannot
 * bring a construct that slips through.
 */
import type {
  Assignment,
  Command,
  CompoundList,
  For,
  ParsedScript,
  Redirection,
  Statement,
  SyntaxNode,
  TestExpression,
  Word,
} from 'unbash';
import type { Collector, Flow } from './collector.ts';
import type { Loops } from './loop-words.ts';
import { readWord, type ShellWord } from './shell-word.ts';
import { type WalkScript, walkHereDoc, walkWord } from './walk-word.ts';
import { piecesOf } from './word-pieces.ts';

const depthMax = 40;

interface Place extends Flow {
  /** The text in which the parser counts the positions. */
  readonly source: string;
}

/** `depth` counts what encloses the text. */
export function walkScript(script: ParsedScript, to: Collector, depth: number, place: Place): void {
  if ((script.errors?.length ?? 0) > 0) to.doubt('the command cannot be parsed');
  const own = script.source === undefined ? place : { ...place, source: script.source };
  for (const statement of script.commands) walkNode(statement, to, depth, own);
}

/** For the scripts that are substituted in a text. */
const walkWithin =
  ({ source }: Place): WalkScript =>
  (script, to, depth, flow) =>
    walkScript(script, to, depth, { ...flow, source });

type Runnable = Statement | Statement['command'] | CompoundList;

function walkNode(node: Runnable, to: Collector, depth: number, flow: Place): void {
  if (depth > depthMax) {
    to.doubt('commands are nested too deeply');
    return;
  }
  const lists = (...parts: readonly (Runnable | undefined)[]): void => {
    for (const part of parts) if (part !== undefined) walkNode(part, to, depth + 1, flow);
  };
  const word = (one: Word): void => walkWord(one, to, depth + 1, walkWithin(flow));
  switch (node.type) {
    case 'Statement':
      lists(node.command);
      return;
    case 'CompoundList':
    case 'AndOr':
      lists(...node.commands);
      return;
    case 'Pipeline':
      node.commands.forEach((one, i) => {
        const feeds = flow.feeds || i < node.commands.length - 1;
        walkNode(one, to, depth + 1, { ...flow, feeds });
      });
      return;
    case 'Command':
      walkCommand(node, to, depth, flow);
      return;
    case 'Redirected':
      for (const redirect of node.redirects) walkRedirection(redirect, to, depth, flow, true);
      lists(node.command);
      return;
    case 'Subshell':
      // Bash takes it for arithmetic first, and reads what it took in another way then.
      if (beginsWithAnother(node.pos + 1, node.body)) to.doubt('(( may begin arithmetic, or a group in a group');
      lists(node.body);
      return;
    case 'BraceGroup':
      lists(node.body);
      return;
    case 'If':
      lists(node.clause, node.then, node.else);
      for (const branch of node.elif) lists(branch.clause, branch.then);
      return;
    case 'While':
      walkNode(node.clause, to, depth + 1, { ...flow, repeated: true });
      walkNode(node.body, to, depth + 1, { ...flow, repeated: true });
      return;
    case 'For':
      // The loop variable is one that no program reads, or the loop sets PATH and the like.
      if (!/^[a-z_][a-z0-9_]{0,30}$/.test(node.name.value) || /proxy|npm_/.test(node.name.value)) {
        to.doubt(`the loop sets ${node.name.text}`);
      }
      for (const one of node.wordlist ?? []) word(one);
      if (node.wordlist !== undefined) to.set(node.name.value, node.wordlist.map(readWord));
      walkNode(node.body, to, depth + 1, { ...flow, repeated: true, loops: loopsIn(node, flow) });
      return;
    case 'Case':
      word(node.word);
      for (const item of node.items) {
        for (const pattern of item.pattern) word(pattern);
        lists(item.body);
      }
      return;
    case 'TestCommand':
      // Shells that do not know this test take the next line of it for a command.
      if (!/^\[\[.*$/.test(flow.source.slice(node.pos, node.end))) to.doubt('a test goes over several lines');
      walkTest(node.expression, to, depth + 1, flow);
      return;
    case 'ArithmeticCommand':
      // A subscript in arithmetic runs substitutions, and other shells read this as two nested subshells.
      to.doubt('it evaluates arithmetic as a command');
      return;
    case 'Function':
      to.doubt('it defines a function');
      lists(node.body);
      return;
    case 'Coproc':
      to.doubt('it starts a coprocess');
      lists(node.body);
      return;
    case 'Select':
    case 'ArithmeticFor':
      to.doubt('it loops in a way that is not followed');
      lists(node.body);
      return;
    default:
      to.doubt(unknown(node));
      return;
  }
}

/** Whether a group begins at this place, which is right behind the bracket of the one around it. */
function beginsWithAnother(pos: number, node: CompoundList | Statement | SyntaxNode): boolean {
  if (node.pos !== pos) return false;
  switch (node.type) {
    case 'Subshell':
      return true;
    case 'Statement':
    case 'Redirected':
      return beginsWithAnother(pos, node.command);
    case 'CompoundList':
    case 'AndOr':
    case 'Pipeline':
      return node.commands[0] !== undefined && beginsWithAnother(pos, node.commands[0]);
    default:
      return false;
  }
}

/** The variables of the loops around the body of one, where every word of them is known. */
function loopsIn({ name, wordlist }: For, { loops = new Set() }: Place): Loops {
  // Every command gives `_` another value.
  const isKnown = name.value !== '_' && wordlist?.every((word) => readWord(word).kind !== 'dynamic') === true;
  const others = [...loops].filter((one) => one !== name.value);
  return new Set(isKnown ? [...others, name.value] : others);
}

const unknown = (node: SyntaxNode): string => `${node.type} is not understood`;

function walkCommand(node: Command, to: Collector, depth: number, flow: Place): void {
  const sets: string[] = [];
  const words: ShellWord[] = [];
  const take = (word: Word): void => {
    walkWord(word, to, depth + 1, walkWithin(flow));
    const read = readWord(word);
    // The parser takes it for a word of its own, where shells put it together with what stands beside it.
    const beside = flow.source.slice(word.pos - 1, word.pos) + (flow.source[word.end] ?? ' ');
    if (read.fed === true && !/^[ \t][\s;&|)]$/.test(beside)) to.doubt(`${word.text} is a part of a word`);
    words.push(read);
  };
  const reads = flow.feeds || [node.name, ...node.suffix].some((part) => part?.type === 'Word' && takes(part));
  for (const part of node.prefix) {
    if (part.type === 'Assignment') {
      if (!isHarmlessAssignment(part, to, depth, flow)) sets.push(part.name);
      if (node.name === undefined && part.value.type === 'Word') to.set(part.name, [readWord(part.value)]);
    } else walkRedirection(part, to, depth, flow, reads);
  }
  // To shells that do not know &> it ends the command, and what follows is another one.
  const parts = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  const both = parts.findIndex((part) => part.type === 'Redirect' && part.operator.startsWith('&'));
  if (both >= 0 && parts.slice(both).some((part) => part.type === 'Word' || part.type === 'Assignment')) {
    to.doubt('words stand behind &>');
  }
  if (node.name !== undefined) take(node.name);
  for (const part of node.suffix) {
    if (part.type === 'Word') take(part);
    else if (part.type === 'Assignment') {
      isHarmlessAssignment(part, to, depth, flow);
      words.push({ kind: 'dynamic', text: part.text });
    } else walkRedirection(part, to, depth, flow, reads);
  }
  if (words.length > 0) to.command(words, sets, depth, flow);
  else for (const name of sets) to.doubt(`it sets ${name} for what follows`);
}

/** They make words of what they read, or run it; behind a wrapper as well. */
const takes = ({ value }: Word): boolean =>
  /(^|\/)(read|mapfile|readarray|xargs|parallel|source|\.|(ba|da|z|k|mk|a|c|tc|fi)?sh)$/.test(value);

/** Variables that only change how a program talks. */
const harmlessNames =
  /^(CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|TZ|LANG|LC_[A-Z]+|TERM|COLUMNS|LINES|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONHASHSEED|RUST_BACKTRACE|RUST_LOG|LOG_LEVEL|GOOS|GOARCH|CGO_ENABLED|CARGO_TERM_COLOR)$/;
/** Programs that show what others print: without one it is only printed. */
const pagers = /^(GIT_|MAN)?PAGER$/;

function isHarmlessAssignment(
  { name, value, index, append }: Assignment,
  to: Collector,
  depth: number,
  flow: Place,
): boolean {
  if (index !== undefined) walkWord(index, to, depth + 1, walkWithin(flow));
  if (value.type === 'ArrayValue') {
    for (const element of value.elements) walkWord(element, to, depth + 1, walkWithin(flow));
    return false;
  }
  walkWord(value, to, depth + 1, walkWithin(flow));
  if (index !== undefined || append === true) return false;
  const read = readWord(value);
  return pagers.test(name) ? /^(cat)?$/.test(read.text) : harmlessNames.test(name) && /^[\w.,:@+-]*$/.test(read.text);
}

/** `reads`: what stands in the text as input may become words of commands. */
function walkRedirection(node: Redirection, to: Collector, depth: number, flow: Place, reads: boolean): void {
  if (node.descriptor?.type === 'FileDescriptorVariable') to.doubt('it opens a file under a number it chooses');
  // To some shells a number of two digits is a word of its own.
  else if ((node.descriptor?.value ?? 0) > 9) to.doubt('it redirects a file with a number of two digits');
  switch (node.type) {
    case 'HereString':
      if (node.target === undefined) return;
      walkWord(node.target, to, depth + 1, walkWithin(flow));
      // What stands behind its bracket belongs to the word; the parser takes it for the next one.
      if (node.target.parts?.some(({ type }) => type === 'ProcessSubstitution') === true) {
        to.doubt('a process is substituted for a text');
      }
      if (reads) to.give([readWord(node.target)]);
      return;
    case 'HereDoc':
      walkHereDoc(node, to, depth + 1, walkWithin(flow));
      if (reads) to.give([{ kind: 'dynamic', text: node.body.text, pieces: piecesOf(node.body) }]);
      return;
    case 'Redirect': {
      if (node.target === undefined) {
        to.doubt('it redirects to nowhere');
        return;
      }
      walkWord(node.target, to, depth + 1, walkWithin(flow));
      const word = readWord(node.target);
      const append = node.operator === '>>' || node.operator === '&>>';
      if (word.kind !== 'literal') {
        to.doubt(`it redirects to ${word.text}, which is known only when it runs`);
        // What it writes over is one of the files there; a process is none.
        if (node.operator.includes('>') && !word.text.startsWith('>(')) to.write({ word, append, needsEdit: true });
        return;
      }
      const isCopy = (node.operator === '>&' || node.operator === '<&') && /^(\d+-?|-)$/.test(node.target.text);
      if (isCopy || isOpenAlready(word.text)) return;
      // Bash takes what the quotes held for a word, and expands it once more.
      if (node.operator === '>&' && !/^[\w./+,@%:=-]+$/.test(word.text)) {
        to.doubt(`it redirects to ${word.text} in a way that may run what it names`);
      }
      // Behind the dash that closes a file, some shells begin another word.
      if (/^[<>]&$/.test(node.operator) && word.text.startsWith('-')) to.doubt('what it closes is not clear');
      if (node.operator === '<') {
        to.read(word);
        return;
      }
      if (node.operator === '<&') {
        to.doubt(`it redirects from ${word.text}`);
        return;
      }
      to.write({ word, append, needsEdit: true });
      return;
    }
    default:
      to.doubt('a redirection is not understood');
      return;
  }
}

const isOpenAlready = (path: string): boolean => /^\/dev\/(null|stdin|stdout|stderr)$/.test(path);

function walkTest(node: TestExpression, to: Collector, depth: number, flow: Place): void {
  if (depth > depthMax) {
    to.doubt('commands are nested too deeply');
    return;
  }
  const word = (one: Word): void => {
    if (endsCommand(one)) to.doubt('a test holds signs that end a command');
    walkWord(one, to, depth + 1, walkWithin(flow));
  };
  switch (node.type) {
    case 'TestUnary':
      if (node.operator === '-v' || node.operator === '-R') to.doubt('a test evaluates a subscript');
      word(node.operand);
      return;
    case 'TestBinary':
      // Comparing numbers evaluates arithmetic; < and > are redirections to shells that do not know this test.
      if (!/^(=|==|!=|=~|-nt|-ot|-ef)$/.test(node.operator)) to.doubt('a test evaluates arithmetic');
      word(node.left);
      word(node.right);
      return;
    case 'TestLogical':
      // Shells that do not know this test would take what follows for another command.
      to.doubt('a test holds && or ||');
      for (const operand of node.operands) walkTest(operand, to, depth + 1, flow);
      return;
    case 'TestNot':
      walkTest(node.operand, to, depth + 1, flow);
      return;
    case 'TestGroup':
      walkTest(node.expression, to, depth + 1, flow);
      return;
    default:
      to.doubt('a test is not understood');
      return;
  }
}

/**
 * To shells that do not know this test it is a command, which signs of expressions end: what follows is another one.
 * Behind a bracket those shells understand nothing of the text.
 */
const endsCommand = ({ text, parts }: Word): boolean =>
  /^[^(]*[|&;<>)]/.test(
    (parts ?? [{ type: 'Literal', text } as const])
      .flatMap((part) => (part.type === 'Literal' || part.type === 'Glob' ? [part.text] : []))
      .join('')
      .replace(/\\./gs, ''),
  );
