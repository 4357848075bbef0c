import { type CommandHook, readHooks } from '#extensions';
import type { Check } from '#kernel';
import { err, ok, type Result } from '#lib';
import { readChecks } from '#permission';
import type { Problem } from '#surfaces/cli';
import { repositoryTrust } from './repository-trust.ts';
import { stillTrusted } from './still-trusted.ts';

/** What a session takes from the configuration of its repository: nothing, unless exactly its content is trusted. */
export interface TrustedParts {
  readonly hooks: readonly CommandHook[];
  /** Null where it declares none. */
  readonly checks: readonly Check[] | null;
  /** Files from which hooks start outside the sandbox, relative to the repository: nobody changes them unasked. */
  readonly guarded: readonly string[];
  readonly notices: readonly string[];
}

/** 55 where trust is demanded and missing. */
export async function trustedParts(
  root: string,
  home: string,
  isDemanded: boolean,
): Promise<Result<TrustedParts, Problem>> {
  const trust = await repositoryTrust(root, home);
  if (trust.digest === null) return ok({ hooks: [], checks: null, guarded: [], notices: [] });
  if (!trust.trusted) {
    const count = `${trust.starters.length} ${trust.starters.length === 1 ? 'command' : 'commands'}`;
    const why = trust.changed ? 'and it changed since it was trusted' : 'and it is not trusted';
    const what = `the repository's configuration would start ${count}, ${why}`;
    if (isDemanded) return err({ exitCode: 55, message: `${what}; look at it with belay trust ${root}` });
    return ok({ hooks: [], checks: null, guarded: [], notices: [`${what}: none is started; belay trust shows them`] });
  }
  const own = trust.files.filter(({ name }) => name.startsWith('.belay/') || name.startsWith('.claude/'));
  const read = own.map(readHooks);
  const checks = own.filter(({ name }) => name.startsWith('.belay/')).flatMap(({ text }) => readChecks(text));
  const whyNot = stillTrusted(root, home, trust);
  return ok({
    hooks: read.flatMap(({ hooks }) => hooks.map((hook) => ({ ...hook, whyNot }))),
    checks: checks.length === 0 ? null : checks,
    guarded: [...trust.outside.keys()],
    notices: read.flatMap(({ warnings }) => warnings),
  });
}
