import { type RepositoryTrust, repositoryTrust } from './repository-trust.ts';

/**
 * Asked before each start of a hook of the repository: why it must not start, or null. What the user trusts anew
 * meanwhile counts, unless the configuration itself is another: then this run has not read what it says.
 */
export function stillTrusted(root: string, home: string, before: RepositoryTrust): () => Promise<string | null> {
  return async () => {
    const now = await repositoryTrust(root, home);
    const names = [...new Set([...before.outside.keys(), ...now.outside.keys()])];
    const changed = names.filter((name) => before.outside.get(name) !== now.outside.get(name));
    if (changed.length === 0) return null;
    const isSameText = JSON.stringify(before.files) === JSON.stringify(now.files);
    if (isSameText && now.trusted) return null;
    const what = `${changed.slice(0, 5).join(', ')} changed since the user trusted it, so it is not started`;
    return `${what}; the user can look at it with belay trust${isSameText ? '' : ' and start again'}`;
  };
}
