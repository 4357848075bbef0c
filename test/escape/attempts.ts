/** What a hostile command tries. Each says `ESCAPED` or shows the secret where it succeeds. */
import type { Stage } from './stage.ts';

export interface Attempt {
  readonly name: string;
  text(stage: Stage): string;
  /** Only root can do it even outside. */
  readonly rootOnly?: true;
}

const perl = (text: string): string => `perl -e '${text.replaceAll("'", "'\\''")}'`;
const say = '&& echo ESCAPED';

/** Of several kinds: a program that the kernel starts, memory, the console, the file system. */
const settingsOfTheMachine = ['kernel/core_pattern', 'kernel/printk', 'vm/overcommit_memory', 'fs/file-max'];

export const attempts: readonly Attempt[] = [
  { name: 'a file outside is written', text: ({ outside }) => `echo x >> ${outside}/file ${say}` },
  { name: 'a file outside is made', text: ({ outside }) => `touch ${outside}/owned ${say}` },
  {
    name: 'a file outside is removed',
    text: ({ outside }) => `rm -f ${outside}/file; test ! -e ${outside}/file ${say}`,
  },
  {
    name: 'a file outside is written through a link that was planted',
    text: ({ outside }) => `ln -sf ${outside}/file link; echo x >> link ${say}; rm link`,
  },
  {
    name: 'a folder of the system is mounted writable again',
    rootOnly: true,
    text: ({ outside }) =>
      `mount --bind ${outside} ${outside} 2>/dev/null; mount -o remount,bind,rw ${outside} && touch ${outside}/x ${say}; umount ${outside}; rm -f ${outside}/x`,
  },
  {
    name: 'a mount is taken away to see what is below',
    rootOnly: true,
    text: ({ outside }) => `mount -t tmpfs none ${outside} 2>/dev/null; umount ${outside} ${say}`,
  },
  { name: 'a nested user namespace', text: () => `unshare -U true ${say}` },
  {
    name: 'a nested mount namespace, and a mount in it',
    text: () => `unshare -Urm sh -c 'mount -t tmpfs none /mnt' ${say}`,
  },
  { name: 'a device is made', rootOnly: true, text: () => `mknod dev c 1 5 ${say}; rm -f dev` },
  {
    name: 'a device of the machine is read',
    rootOnly: true,
    text: () => `dd if=/dev/kmsg bs=64k count=1 iflag=nonblock of=/dev/null 2>/dev/null ${say}`,
  },
  { name: 'the secret files of the home are read', text: ({ home }) => `cat ${home}/.ssh/id` },
  { name: 'another secret file of the home is read', text: () => 'cat ~/.netrc' },
  {
    name: 'a link leads to a secret of the home',
    text: ({ home }) => `ln -sf ${home}/.ssh link; cat link/id; rm link`,
  },
  { name: 'a hard link to a secret of the home', text: ({ home }) => `ln ${home}/.netrc got && cat got; rm -f got` },
  { name: "the agent's own data is read", text: ({ data }) => `cat ${data}/ledger.log` },
  {
    name: "the agent's own data is changed",
    text: ({ data }) =>
      `echo x >> ${data}/ledger.log && test -s ${data}/ledger.log && grep -q the-secret ${data}/ledger.log ${say}`,
  },
  { name: 'a file that a rule keeps from being read', text: () => 'cat .env' },
  { name: 'the same file under another name', text: () => 'mv .env other && cat other; mv other .env' },
  { name: 'the same file through git', text: () => 'cp .env copy && cat copy; rm -f copy' },
  { name: 'the folder of git is renamed', text: () => `mv .git .git2 ${say}; mv .git2 .git` },
  {
    name: 'a hook of git is written',
    text: () => `echo x > .git/hooks/pre-commit ${say}; rm -f .git/hooks/pre-commit`,
  },
  { name: 'the hooks of git are replaced', text: () => `mv .git/hooks .git/old && mkdir .git/hooks ${say}` },
  { name: 'settings of git are written', text: () => `git config core.fsmonitor ./x ${say}` },
  { name: 'attributes of git are written', text: () => `echo '* filter=x' > .git/info/attributes ${say}` },
  { name: 'tasks of the editor are written', text: () => `echo x > .vscode/tasks.json ${say}` },
  { name: 'the folder of the editor is replaced', text: () => `mv .vscode old && mkdir .vscode ${say}` },
  { name: 'settings of another agent are written', text: () => `echo x > .claude/settings.json ${say}` },
  { name: "another process's environment is read", text: ({ agent }) => `tr '\\0' '\\n' < /proc/${agent}/environ` },
  {
    name: 'any environment is read',
    text: () => `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep AGENT_SECRET`,
  },
  { name: 'the root of another process', text: ({ agent, home }) => `cat /proc/${agent}/root${home}/.ssh/id` },
  { name: 'the folder of another process', text: ({ agent }) => `ls /proc/${agent}/cwd/ ${say}` },
  { name: 'the root of any process', text: ({ home }) => `cat /proc/[0-9]*/root${home}/.ssh/id` },
  {
    name: 'the agent is traced',
    // PTRACE_SEIZE, so that it is not stopped.
    text: ({ agent }) => perl(`exit(syscall(101, 0x4206, ${agent}, 0, 0) == 0 ? 0 : 1)`) + say,
  },
  { name: 'the agent is signalled', text: ({ agent }) => `kill -0 ${agent} ${say}` },
  {
    name: 'the agent is killed by its name', // A pattern that does not fit the words in which it stands itself.
    text: ({ abstractName }) => `pkill -0 -f '${abstractName.slice(0, -1)}[${abstractName.at(-1)}]' ${say}`,
  },
  {
    name: 'an abstract socket',
    text: ({ abstractName }) =>
      perl(
        `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack("Sa*", AF_UNIX, "\\0${abstractName}")) or die $!; print scalar <S>`,
      ),
  },
  {
    name: 'a socket with a path in the home',
    text: ({ socket }) =>
      perl(
        `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("${socket}")) or die $!; print scalar <S>`,
      ),
  },
  {
    name: 'a server on the loopback',
    text: ({ ports }) => `exec 5<>/dev/tcp/127.0.0.1/${ports.tcp} && head -1 <&5`,
  },
  {
    name: 'a name server on UDP',
    text: ({ ports }) =>
      perl(
        `use Socket; $SIG{ALRM} = sub { exit 1 }; alarm 3; socket(S, AF_INET, SOCK_DGRAM, 0); send(S, "q", 0, pack_sockaddr_in(${ports.udp}, inet_aton("127.0.0.1"))) or die $!; recv(S, my $got, 100, 0); print $got`,
      ),
  },
  {
    name: 'another way to the machine',
    text: () => `ip -4 addr 2>/dev/null | grep -v 127.0.0.1 | grep -q 'inet ' ${say}`,
  },
  { name: 'shared memory of the machine', text: () => `test -e /dev/shm/belay-escape-${process.pid} ${say}` },
  ...settingsOfTheMachine.map(
    (file): Attempt => ({
      name: `a setting of the machine is written, ${file}`,
      rootOnly: true,
      // Only what it holds already.
      text: () => `v=$(cat /proc/sys/${file}) && echo "$v" > /proc/sys/${file} ${say}`,
    }),
  ),
  {
    name: 'a file of /proc that is no process is open for writing',
    // Nothing is written to it.
    rootOnly: true,
    text: () =>
      `find /proc -maxdepth 2 -type f -perm /222 -not -path '/proc/[0-9]*' -not -path '/proc/*self/*' -writable -exec test -f {} ';' -print | grep -q . ${say}`,
  },
  {
    name: 'timers and processes of the machine are listed',
    rootOnly: true,
    text: () => `head -c 1 /proc/timer_list | grep -q . ${say}`,
  },
  {
    name: 'keys of the machine are listed',
    rootOnly: true,
    text: () => `head -c 1 /proc/keys | grep -q . ${say}`,
  },
  { name: 'a set-user-id program', rootOnly: true, text: () => `setpriv --reuid=1 --clear-groups true ${say}` },
  {
    name: 'a folder in memory outside is left',
    text: () =>
      `touch /var/tmp/belay-escape-${process.pid} && test -e /proc/${process.pid} ${say}; rm -f /var/tmp/belay-escape-${process.pid}`,
  },
];
