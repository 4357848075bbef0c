const signals: { readonly [number: number]: string } = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
};

/**
 * An exit code in words. Above 128 a shell does not tell an exit code from a signal, so both are named where nothing
 * else says which it was.
 */
export function exitCodeText(code: number, endedBy?: 'itself' | 'signal'): string {
  const signal = signals[code - 128];
  if (signal === undefined || endedBy === 'itself') return `exit code ${code}`;
  if (endedBy === 'signal') return `killed by signal ${code - 128} (${signal}), exit code ${code}`;
  return `exit code ${code} (exit ${code} or ${signal})`;
}
