/**
 * Programs of whose options only some are known to be harmless. Others of theirs run programs, load code, write files or
 * send some; their makers add more. With one that is not known here only a rule for exactly these words allows them.
 */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { entryOf } from './options.ts';

interface KnownOptions {
  readonly flags: RegExp;
  /** Options whose value is the next word, or attached where a group `value` of the pattern finds it. */
  readonly valued?: RegExp;
  /** Values and operands that are more than they seem. */
  readonly never?: RegExp;
  /** Operands alone that are. */
  readonly neverNamed?: RegExp;
  /** Where the first operand chooses what it does: those that are harmless. */
  readonly choices?: RegExp;
}

const tex: KnownOptions = {
  flags: /^--?(interaction=\w+|halt-on-error|file-line-error|synctex=-?\d|draftmode|no-shell-escape|version|help)$/,
  never: /[\\&|]/,
};
const building: KnownOptions = {
  flags: /^(-k|--keep_going|--test_output=\w+|--config=\w+|--verbose_failures|--nobuild)$/,
  choices: /^(build|test|query|cquery|aquery|info|version|help)$/,
};
const httpie: KnownOptions = {
  flags:
    /^(-[vhbFj]+|--(verbose|headers|body|follow|ignore-stdin|json|pretty=\w+|print=\w+|timeout=\d+|check-status|version|help))$/,
  never: /@|^(?!https?:\/\/)[^=]*=(?!=)|^(POST|PUT|PATCH|DELETE|CONNECT)$/i,
};
/** For MSBuild, with any sign of an option: a property, a file of options, or settings of the tests. */
const property = /^(@|--$|\/[A-Za-z]+(:|$))/;
const msbuild: KnownOptions = {
  flags: /^-(nologo|m(:\d+)?|r|restore|(t|target):[\w;]+|(v|verbosity):\w+|help|version)$/,
  never: property,
};

const programs: { readonly [program: string]: KnownOptions } = {
  curl: {
    flags:
      /^(-[sSfLIivgkNq#0-46]+|--(silent|show-error|fail|fail-with-body|fail-early|location|head|include|verbose|compressed|no-progress-meter|progress-bar|globoff|http[123][.\d]*(-prior-knowledge)?|ipv[46]|tlsv1(\.\d)?|no-buffer|no-keepalive|retry-all-errors|retry-connrefused|path-as-is|insecure|version|help))$/,
    valued:
      /^(?:-[sSfLIivgkN]*[HAemwru](?<value>.*)|--(?:header|user-agent|referer|max-time|connect-timeout|write-out|range|retry|retry-delay|retry-max-time|max-redirs|user|limit-rate|max-filesize|rate|proto))$/s,
    never: /^[@<]|%output\{/,
    // What it makes of `{…}` and `[…]` may name another protocol, such as `file:`, unless one stands in front.
    neverNamed: /^(?!https?:\/\/).*[[{]/is,
  },
  gcc: {
    flags:
      /^-(c|S|E|g\d?|ggdb\d?|O([0-3sgz]|fast)?|W(?![pla],)[\w=+-]*|w|std=[\w+:]+|pedantic(-errors)?|ansi|f(syntax-only|PIC|PIE|pic|pie|lto|wrapv|(no-)?(rtti|inline|builtin|strict-aliasing)|sanitize=[\w,-]+|visibility=\w+)|m[\w-]+(=[\w.+-]+)?|pthread|pipe|v|x[\w+-]+|D\w+(=.*)?|U\w+|l[\w.+-]+|[LIo].+|M|MM|shared|static|-version|-help|dumpmachine|dumpversion)$/,
    // Where it writes is told elsewhere.
    valued: /^-([xDULlIo]|isystem|iquote)$/,
    never: /^@/,
  },
  bat: {
    flags:
      /^(-[npAhVud]+|--(plain|number|show-all|paging=never|(decorations|color|style|language|line-range|highlight-line|theme|tabs|wrap)=\S+|list-languages|list-themes|version|help|diff))$/,
    valued: /^(-[lrHm]|--(decorations|color|style|language|line-range|highlight-line|theme|tabs|wrap|map-syntax))$/,
    choices: /^(?!cache$)/,
  },
  fzf: {
    flags: /^(-[eixm01]+|--(exact|no-sort|read0|print0|tac|multi|ansi|version|help|(filter|query|nth|delimiter)=.*))$/,
    valued: /^(-[fqnd]|--(filter|query|nth|delimiter))$/,
  },
  'ssh-keygen': { flags: /^-[lBLv]+$/, valued: /^-(E|[lBLv]+f)$/ },
  protoc: {
    flags: /^(-I.+|--(proto_path=.+|version|help|decode_raw|(encode|decode)=\S+|print_free_field_numbers))$/,
    valued: /^(-I|--proto_path)$/,
    never: /^@/,
  },
  cmake: {
    flags:
      /^(-[SBGA].+|-D(CMAKE_BUILD_TYPE=\w+|CMAKE_C(XX)?_STANDARD=\d+|(?!\w*(COMPILER|LAUNCHER|COMMAND|PROGRAM|INCLUDE|FILE))\w+=(ON|OFF|TRUE|FALSE|YES|NO|[01]))|-N|-L[AH]*|-v|-j\d*|--(build|verbose|version|help|clean-first|fresh|(target|config|parallel|log-level)=[\w.-]+)|-W(no-)?(dev|deprecated))$/,
    valued: /^(-[SBGAjt]|--(target|config|parallel|preset|log-level))$/,
  },
  ctest: {
    flags: /^(-V+|-N|-Q|-j\d*|--(output-on-failure|verbose|progress|version|help|test-dir=.+))$/,
    valued: /^(-[RELjC]|-LE|--(test-dir|timeout))$/,
  },
  openssl: {
    flags:
      /^-(text|noout|subject|issuer|dates|startdate|enddate|fingerprint|serial|pubkey|hash|modulus|purpose|email|hex|base64|r|v|sha\d+|md5|help)$/,
    valued: /^-(in|inform|CAfile)$/,
    choices: /^(version|dgst|md5|sha\d+|rand|x509|verify|asn1parse|help|list|ciphers|prime)$/,
  },
  ts: { flags: /^-[isrm]+$/, choices: /%/ },
  // What it reads or writes may be described by a file of code.
  pandoc: {
    flags:
      /^(-[sN]+|--(standalone|toc|number-sections|mathjax|wrap=\w+|version|help|(from|to|output)=(?!.*\.lua$).*))$/,
    valued: /^(?:-[ftrwoMV](?<value>.*)|--(?:from|to|read|write|output|metadata|variable))$/s,
    never: /\.lua\b/,
  },
  nim: {
    flags: /^(-d:\w+|--(hints|warnings):(on|off)|--(version|help))$/,
    choices: /^(c|cc|cpp|js|check|doc|dump)$/,
  },
  rails: {
    flags: /^(-[bfv]+|--(verbose|fail-fast|backtrace|version|help))$/,
    choices:
      /^(test(:\w+)?|t|spec|routes|about|notes|stats|version|generate|g|zeitwerk:check|db:migrate(:status)?|assets:precompile|middleware|initializers)$/,
  },
  // Behind -c an operand would be its settings, which are code.
  rollup: {
    flags: /^(-[cwm]|--(watch|silent|sourcemap|failAfterWarnings|bundleConfigAsCjs|version|help))$/,
    choices: /^-$/,
  },
  // Each operand is a command.
  sbt: {
    flags: /^--?(batch|no-colors|version|help)$/,
    never:
      /^(?!([\w-]+\/)?((test|Test|it):|(Test|IntegrationTest)\/)?(\+?compile|test|testQuick|clean|update|package|assembly|doc|about|scalafmtCheck|scalafmtCheckAll|testOnly [\w.*]+)$)/,
  },
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
  // Properties, which run commands, in any spelling: what stands behind dashes are settings of the tests.
  dotnet: {
    flags:
      /^(-[hq]|--?nologo|--(no-(restore|build|incremental|dependencies|logo|cache|self-contained)|list-tests|blame|verify-no-changes|self-contained|include-symbols|include-source|locked-mode|help|version|info)|(-[cfrv]|--(configuration|framework|runtime|verbosity|filter|arch|os))[=:][\w.=~&|!()-]+)$/,
    valued: /^(-[cfrv]|--(configuration|framework|runtime|verbosity|filter|arch|os))$/,
    never: property,
  },
  msbuild,
  xbuild: msbuild,
  bun: {
    flags:
      /^(-u|--(bail|only|todo|coverage|randomize|concurrent|update-snapshots|only-failures|watch|minify|sourcemap|production|splitting|version|help)|--(bail|timeout|seed|rerun-each|target|format)=\w+)$/,
    valued: /^(-t|--(timeout|seed|rerun-each|test-name-pattern|target|format))$/,
  },
  deno: {
    flags:
      /^(-[qh]|--(quiet|no-check|check|fail-fast|parallel|no-run|doc|trace-leaks|no-prompt|cached-only|no-lock|frozen|watch|clean|shuffle|hide-stacktraces|no-remote|no-npm|json|compact|rules|help|version|(fail-fast|shuffle|filter|ignore|reporter)=.+))$/,
    valued: /^--(filter|ignore|reporter)$/,
  },
  bazel: building,
  bazelisk: building,
  buck2: building,
  latexmk: {
    flags:
      /^-(pdf|pdfxe|pdflua|xelatex|lualatex|dvi|ps|silent|quiet|f|g|c|C|bibtex|norc|interaction=\w+|halt-on-error|file-line-error|synctex=-?\d|version|help|v)$/,
    never: tex.never as RegExp,
  },
  latex: tex,
  tex,
  pdftex: tex,
  pdflatex: tex,
  xelatex: tex,
  lualatex: tex,
};

/** Null where the options of a program are not known one by one. */
export function knownOptionsProfile(program: string, words: readonly ShellWord[]): Profile | null {
  const known = entryOf(programs, program);
  if (known === undefined) return null;
  const because = (text: string): Profile => ({
    hazard: `${program} ${text} may run a program, load code, send a file or write one`,
  });
  let isFirst = true;
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at] as ShellWord;
    if (text.startsWith('-') && text !== '-' && text !== '--') {
      if (known.flags.test(text)) continue;
      const found = known.valued?.exec(text) ?? null;
      if (found === null) return because(text);
      const value = found.groups?.['value'] || (words[++at]?.text ?? '');
      if (known.never?.test(value) === true) return because(`${text} ${value}`);
      continue;
    }
    if (known.never?.test(text) === true || known.neverNamed?.test(text) === true) return because(text);
    if (isFirst && known.choices?.test(text) === false) return because(text);
    isFirst = false;
  }
  return {};
}
