/**
 * Programs that run code: given as a word, as a file, or read from their input. A rule may allow one that runs a named
 * file; code in a word or on the input is only ever allowed by a rule for exactly that text.
 */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { nodeOptions, optionHazard } from './dangerous-options.ts';
import { knownOptionsProfile } from './known-options.ts';
import { findSpelling } from './option-spellings.ts';
import { entryOf, type Options } from './options.ts';
import { moduleProfile } from './python-modules.ts';
import { scriptProfile } from './script-profile.ts';

interface Interpreter {
  /** Options whose value is code, or which load code besides the script. */
  readonly code: Options;
  /** Options that are safe and stand alone. With any other one it is not known where the script stands. */
  readonly flags?: RegExp;
  /** Options that take the next word as a value, which must be a plain name. */
  readonly valued?: RegExp;
  /** Words with which it runs no code from its input although no script is named. */
  readonly alone?: RegExp;
  /** Commands of its own, whose options are known one by one. */
  readonly commands?: RegExp;
}

const interpreters: { readonly [program: string]: Interpreter } = {
  node: {
    code: {
      long: nodeOptions,
      short: 'eprCi',
      except: ['--test', '--test-reporter=spec', '--test-reporter=tap', '--test-reporter=dot'],
    },
    flags:
      /^--(test(-[\w-]+)?(=.*)?|check|no-[\w-]+|trace-(warnings|uncaught|deprecation|exit)|enable-source-maps|experimental-(strip-types|transform-types|test-coverage|vm-modules|sqlite|test-[\w-]+)|watch|throw-deprecation|pending-deprecation|expose-gc|max-old-space-size=\d+|stack-[\w-]+=\d+|unhandled-rejections=\w+|version|help)$|^-[cvh]$/,
    alone: /^(--test|--version|-v|--help|-h)$/,
  },
  python: {
    code: { short: 'ci' },
    flags: /^(-[BEsSuvOIbdqPR]+|-W(error|ignore|default|always))$/,
    valued: /^-[WX]$/,
    alone: /^(-m|-V|--version|-h|--help)$/,
  },
  perl: { code: { short: 'eEiMmIxsdpn' }, flags: /^-[wTtl]+$/, alone: /^(-v|-V|--version)$/ },
  ruby: { flags: /^-[wW]\d?$/, code: { short: 'erICipnx', long: ['--require'] }, alone: /^(-v|--version)$/ },
  php: { code: { short: 'rBREFacdzS', long: ['--run', '--define', '--php-ini'] }, alone: /^(-v|--version|-m|-i)$/ },
  lua: { code: { short: 'eli' }, alone: /^-v$/ },
  bun: {
    code: {
      short: 'eprb',
      long: [
        '--eval',
        '--print',
        '--preload',
        '--require',
        '--import',
        '--config',
        '--cwd',
        '--env-file',
        '--inspect',
        '--bun',
      ],
    },
    alone: /^(--version|-v)$/,
    commands: /^(test|build)$/,
  },
  deno: {
    code: {
      short: 'Ac',
      long: [
        '--allow-all',
        '--allow-run',
        '--allow-write',
        '--allow-net',
        '--allow-read',
        '--allow-ffi',
        '--allow-env',
        '--config',
        '--import-map',
        '--ext',
        '--unstable',
        '--inspect',
        '--preload',
        '--env-file',
        '--eval',
      ],
    },
    alone: /^--version$/,
    commands: /^(test|lint|fmt|check|bench|doc|info)$/,
  },
  tsx: { code: { short: 'epr', long: ['--eval', '--print', '--require', '--import', '--tsconfig'] } },
  'ts-node': {
    code: { short: 'eprPOC', long: ['--eval', '--print', '--require', '--compiler', '--project', '--cwd'] },
  },
  rscript: { code: { short: 'e' } },
  r: { code: { short: 'ef', long: ['--file'] } },
  julia: { code: { short: 'eELJ', long: ['--eval', '--print', '--load'] }, alone: /^(-v|--version)$/ },
  java: {
    flags: /^-(jar|ea|D[\w.]+=[\w.-]*|Xm[sx]\w+)$/,
    code: { long: ['--javaagent', '--agentpath', '--agentlib'], short: '@' },
    alone: /^(-version|--version)$/,
  },
  groovy: { code: { short: 'e' } },
  scala: { code: { short: 'e' } },
  elixir: { code: { short: 'er', long: ['--eval', '--rpc-eval', '--require'] } },
  ghc: { code: { short: 'eF' } },
  tclsh: { code: { short: 'c' } },
  expect: { code: { short: 'c' } },
  ...Object.fromEntries(
    // With any option of theirs it asks.
    'bb coffee csi d8 dmd esmo esno fennel gjs gosh gsi haxe hy janet jiti jruby jsc jython kotlin kscript ldc2 livescript lsc micropython mruby nashorn newlisp qjs raku rakudo rdmd runghc sucrase-node swc-node tcc truffleruby'
      .split(' ')
      .map((name) => [name, { code: {} }]),
  ),
};

const otherRights = 'it gives other rights, another root or another machine';
const otherPrograms = 'it starts programs by itself';

/** Programs whose every use runs code that is not a plain script file. */
const always: { readonly [program: string]: string } = Object.fromEntries(
  (
    [
      [
        'it runs commands of its own language',
        'less more most man vim vi nvim view ex ed emacs emacsclient nano gdb lldb m4 bc dc psql mysql sqlite3 mongosh redis-cli osascript pwsh powershell cmd irb pry ipython jshell ftp sftp telnet nc ncat netcat socat mutt gnuplot octave expr git-shell rvim rview gvim gview rgvim evim vimdiff nvimdiff pico joe jed micro hx kak vipe vidir mysqlsh mariadb duckdb cqlsh sqlplus guile racket sbcl clisp ghci ocaml utop erl iex swipl gprolog maxima scilab jbang zx babel-node vite-node clojure bpython ptpython jrunscript jjs rhino dotnet-script csharp fsi fsharpi scheme chez ecl ccl abcl gforth wolframscript wolfram math matlab sage gp gap mongo cypher-shell sqlcmd isql tsql usql pgcli mycli litecli iredis clickhouse clickhouse-client influx snowsql nmap tshark tcpdump blender gimp inkscape libreoffice soffice asy texlua tectonic groff xdotool i3-msg swaymsg hyprctl qdbus dbus-send busctl gsettings defaults rdbg psysh wp drush rust-script cling root evcxr yaegi gomacro picolisp phantomjs coqtop stata vivado vsim quartus_sh openocd yosys amm mail mailx jdb',
      ],
      [
        otherRights,
        'sudo doas su runuser pkexec chroot unshare nsenter setpriv capsh ssh slogin rsync rsh mosh scp docker podman nerdctl kubectl helm vagrant lxc machinectl systemd-run bwrap firejail ansible ansible-playbook runc crun crictl ctr buildah nsjail multipass wsl colima limactl toolbox distrobox incus lxc-attach sandbox-exec',
      ],
      [
        otherPrograms,
        'parallel entr watchexec nodemon pm2 screen tmux dtach script scriptreplay at batch crontab cron strace ltrace gdbserver valgrind perf expect-lite flock setarch linux32 linux64 proot fakeroot direnv nix nix-shell nix-build guix xdg-open open start-stop-daemon daemonize dbus-run-session xvfb-run run-parts sem xterm konsole pipx pipenv poetry tox nox uvx uv conda mamba rlwrap unbuffer proxychains torsocks torify cgexec prlimit chrt taskset numactl eatmydata faketime hyperfine caffeinate ld.so ld-linux-x86-64.so.2 ld-linux.so.2 terraform pulumi logsave doppler envchain chamber aws-vault dotenv dotenvx cross-env cross-env-shell concurrently npm-run-all run-s run-p foreman honcho overmind supervisord tini dumb-init gosu su-exec setuidgid chpst softlimit envdir setlock solo lckdo run-one choom uclampset cpulimit trickle tsocks i386 x86_64 arch sg newgrp zellij byobu ttyd tmate ssh-agent ssh-add ssh-copy-id sshpass autossh wine mono rbenv pyenv nodenv jenv logrotate savelog reflex modd watchman onchange dbus-launch systemd-inhibit systemd-cat fakechroot bear scan-build cpack buck pants rr heaptrack catchsegv nq fq pueue kcov drmemory memray py-spy scalene austin samply coz uftrace bpftrace sysdig dtrace dtruss ktrace truss instruments xctrace devbox flox pkgx dagger earthly op infisical teller summon berglas sops vault consul nomad etcdctl aws-okta saml2aws env-cmd dotenv-cli with-env execlineb s6-setuidgid foreground multilog 0x clinic autocannon start-server-and-test npm-watch cargo-watch gow ghcid guard air kitty alacritty wezterm gnome-terminal foot st urxvt rxvt xfce4-terminal terminator tilix pdm rye hatch vfox electron papermill xcrun libtool tsc-watch chokidar lf ranger nnn mc vifm broot tig lazygit gitui ncdu scala-cli coursier cs ldd dosbox qemu-x86_64 qemu-aarch64 jar',
      ],
      [
        'it changes the machine',
        'shutdown reboot halt poweroff systemctl service mount umount insmod modprobe sysctl iptables nft useradd userdel usermod passwd chpasswd visudo apt apt-get dpkg yum dnf apk pacman brew snap flatpak launchctl kill pkill killall chattr setfacl chown chgrp chmod ifconfig ip route swapoff swapon losetup cryptsetup lvremove hdparm update-alternatives ldconfig loginctl',
      ],
      [
        'it unpacks, replaces or writes many files',
        'cpio pax 7z 7za unrar unar ar split csplit mmv prename imv qmv wget aria2c gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma compress uncompress install-info unlink rename truncate-log mktemp-all',
      ],
    ] as const
  ).flatMap(([why, names]) => names.split(' ').map((name) => [name, why])),
);

export const isInterpreter = (program: string): boolean => entryOf(interpreters, program) !== undefined;

export const alwaysHazard = (program: string): string | null => entryOf(always, program) ?? null;

/** Whether every use of a program may start another one that its words name. */
export const startsOthers = (program: string): boolean =>
  [otherRights, otherPrograms].includes(alwaysHazard(program) ?? '');

export const isShell = (program: string): boolean =>
  /^(sh|bash|dash|zsh|ksh|mksh|rbash|fish|ash|csh|tcsh|yash|xonsh|nu|elvish|posh|busybox-sh)$/.test(program);

/** A name under which a program finds its own input, or one that it was handed. */
const isStream = (text: string): boolean => /^\/+(\.\/+)*(dev|proc)\//.test(text);

export function shellProfile(words: readonly ShellWord[]): Profile {
  const code = words.findIndex(({ text }) => /^[-+][A-Za-z]*c/.test(text));
  if (code !== -1) {
    const script = words.slice(code + 1).find(({ text }) => !text.startsWith('-') && !text.startsWith('+'));
    const scripts = script?.kind === 'literal' ? { scripts: [script.text] } : {};
    return { hazard: `${words[0]?.text} runs code that stands in its words`, ...scripts };
  }
  const option = findSpelling(words.slice(1), { short: 'sioO', long: ['--rcfile', '--init-file', '--login'] });
  if (option !== null) return { hazard: `${words[0]?.text} ${option} runs more than a named file` };
  const script = words.slice(1).find(({ text }) => !text.startsWith('-') && !text.startsWith('+'));
  return script === undefined || isStream(script.text) ? { hazard: `${words[0]?.text} runs what it reads` } : {};
}

/** `coverage run` is Python that is watched; a rule must name the file or module. */
export function coverageProfile(words: readonly ShellWord[]): Profile | null {
  if (words[1]?.text !== 'run') return null;
  const flags = /^(-[ap]|--(append|branch|parallel-mode|(source|include|omit)=.*))$/;
  const own = words.slice(2).findIndex(({ text }) => !flags.test(text));
  if (own === -1) return { hazard: 'coverage runs what it reads' };
  const profile = interpreterProfile('python', [...words.slice(0, 1), ...words.slice(own + 2)]) ?? {};
  return { ...profile, pin: (profile.pin ?? 2) + own + 1 };
}

export function interpreterProfile(program: string, words: readonly ShellWord[]): Profile | null {
  const known = entryOf(interpreters, program);
  if (known === undefined) return null;
  const name = words[0]?.text ?? program;
  let at = 1;
  let alone = false;
  let strange: string | null = null;
  for (; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const { text } = word;
    if (known.alone?.test(text) === true) alone = true;
    // What follows a module is that module's own.
    if (program === 'python' && /^-[A-Za-z]*m/.test(text)) {
      if (strange !== null) break;
      const watched = words[at + 1]?.text === 'coverage' ? coverageProfile(words.slice(at + 1)) : null;
      if (text === '-m' && watched !== null) return { ...watched, pin: (watched.pin ?? 0) + at + 1 };
      return /^-m$/.test(text) && words[at + 1]?.kind === 'literal'
        ? {
            pin: at + 2,
            ...optionHazard(words.slice(at + 1)),
            ...moduleProfile(words[at + 1]?.text ?? '', words.slice(at + 2), name),
          }
        : { hazard: `${name} ${text} runs a module` };
    }
    if (!text.startsWith('-') || text === '-') break;
    if (known.valued?.test(text) === true && /^\w+$/.test(words[at + 1]?.text ?? '')) at++;
    else if (known.flags?.test(text) !== true && known.alone?.test(text) !== true) strange ??= text;
  }
  const option = findSpelling(words.slice(1, at + 1), known.code);
  if (option !== null) return { hazard: `${name} ${option} runs code that stands in its words or loads more` };
  if (strange !== null) return { hazard: `${name} ${strange} may take the word behind it, or load more code` };
  const script = words[at];
  if (program === 'node' && script?.text === 'inspect') return { hazard: 'node inspect runs what it reads' };
  if (program === 'node' && alone) {
    // Options of the test runner may stand behind files as well.
    const late = findSpelling(words.slice(1), known.code);
    return late === null ? {} : { hazard: `${name} ${late} loads more code` };
  }
  if (
    program === 'deno' &&
    /^(eval|repl|run|task|install|compile|serve|x|jupyter|add|remove|uninstall|upgrade|publish|init|update|outdated|cache|vendor|bundle|deploy|create|i)$/.test(
      script?.text ?? '',
    )
  ) {
    return { hazard: `${name} ${script?.text} runs code with rights of its own` };
  }
  if (script !== undefined && known.commands?.test(script.text) === true) {
    return knownOptionsProfile(program, words) ?? {};
  }
  if (program === 'bun' && bunCommands.test(script?.text ?? '')) return bunProfile(words, at);
  if (script === undefined || script.text === '-') return alone ? {} : { hazard: `${name} runs what it reads` };
  if (isStream(script.text)) return { hazard: `${name} runs what it reads` };
  return scriptProfile(words.slice(at));
}

/** They install or run what the next word says: a script, or any program where there is none of the name. */
const bunCommands =
  /^(x|exec|run|create|c|install|i|add|a|remove|rm|update|link|unlink|pm|patch|patch-commit|publish|init|upgrade|repl|audit|outdated)$/;

function bunProfile(words: readonly ShellWord[], at: number): Profile {
  const behind = words.slice(at + 1);
  const code = words[at]?.text === 'exec' ? behind[0] : undefined;
  if (code?.kind === 'literal') return { hazard: 'bun exec runs its word as a shell text', scripts: [code.text] };
  const option = behind[0]?.text.startsWith('-') === true ? behind[0].text : null;
  if (option !== null) return { hazard: `bun ${option} may take the word behind it, or load more code` };
  return words[at]?.text === 'x' && behind.length > 0
    ? { hazard: 'bun x runs a package', starts: [behind] }
    : { pin: at + 2 };
}
