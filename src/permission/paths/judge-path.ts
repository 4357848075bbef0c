/** Whether a command may name a path without a question. */
import type { PermissionPorts } from '../contract.ts';
import { compilePathGlob } from '../rules/path-glob.ts';
import { findMatches } from './find-matches.ts';
import type { NamedPath } from './named-paths.ts';
import { beforeClimbs, beforePattern, placeOf, waysOf } from './place-of.ts';
import { sensitivity } from './sensitive.ts';

export interface PathPlaces {
  readonly workspace: string;
  readonly folders: readonly string[];
  readonly ports: PermissionPorts | null;
}

/** Where a path could lead, relative to the workspace, links followed; and why it asks. */
export interface PathJudgement {
  readonly places: readonly string[];
  readonly asks?: string;
}

const isStream = (text: string): boolean => /^\/dev\/(null|stdin|stdout|stderr)$/.test(text);

/** Samples of what a pattern may find, against names that any pattern finds. */
const secretSamples =
  '.env .env.local .envrc prod.env id_rsa id_ed25519 deploy_key server.key server.pem .npmrc .netrc .pypirc credentials.json secrets.yml .git-credentials .htpasswd terraform.tfvars'.split(
    ' ',
  );
const secretEndings = ['pem', 'key', 'p12', 'pfx', 'jks', 'env', 'tfvars', 'kdbx'];
const plainSamples = ['a', 'x1.json', 'test_b.py'];

export async function judgePath(path: NamedPath, where: PathPlaces): Promise<PathJudgement> {
  const { text, pattern } = path;
  if (isStream(text)) return { places: [] };
  const places: string[] = [];
  const asks = (why: string): PathJudgement => ({ places, asks: why });
  if (path.encoded === true) return asks(`${text} is the address of a file in a spelling that is not followed`);
  for (const folder of where.folders) {
    const checked = pattern ? beforePattern(text) : text;
    for (const part of [...beforeClimbs(checked), checked]) {
      const place = placeOf(part, folder, where.workspace);
      if (place === null) return asks(`${text} is outside the workspace`);
      for (const way of waysOf(part, folder, where.workspace)) {
        const real = await follow(way, place, where.ports);
        if (real === null) return asks(`${text} leads out of the workspace`);
        if (real === 'unknown') return asks(`${text} climbs out of a folder that is not there`);
        places.push(real.place);
        if (real.place !== place) places.push(place);
      }
    }
  }
  const sensitive = (some: readonly string[]): string | null =>
    some.map((one) => sensitivity(one) ?? startsLater(one, where.ports)).find((why) => why !== null) ?? null;
  const why = (pattern ? patternAsks(text) : null) ?? sensitive([text, ...places]);
  if (why !== null) return asks(why);
  if (!pattern || where.ports === null) return { places: [...new Set(places)] };
  const found = await findMatches(
    text,
    where.folders.flatMap((folder) => waysOf(text, folder, where.workspace)),
    where.ports,
  );
  places.push(...found.places);
  const secret = found.asks ?? sensitive(found.places);
  return secret === null ? { places: [...new Set(places)] } : asks(secret);
}

const startsLater = (path: string, ports: PermissionPorts | null): string | null =>
  ports?.startsLater?.(path) === true ? `${path} decides what may run later` : null;

/** Where a way leads; `unknown`: a `..` in it counts from what is not there yet, and may be a link when it is. */
async function follow(
  way: string,
  place: string,
  ports: PermissionPorts | null,
): Promise<{ readonly place: string } | 'unknown' | null> {
  // Too long a text is no path, and no file system takes it.
  if (ports === null || way.length > 1000) return { place };
  for (const before of beforeClimbs(way)) if ((await ports.kind?.(before)) === 'missing') return 'unknown';
  const real = await ports.realPath(way);
  return real === null ? null : { place: real };
}

function patternAsks(text: string): string | null {
  const segments = text.split('/');
  if (text.startsWith('~') || segments.includes('..')) return `${text} may lead out of the workspace`;
  if (segments.some((segment) => segment.startsWith('.') && /[*?[{]/.test(segment))) {
    return `${text} may find hidden files`;
  }
  const glob = compilePathGlob(segments.at(-1) ?? '');
  if (!glob.ok) return `${text} is a pattern that is not understood`;
  if (plainSamples.some(glob.value)) return null;
  const ending = compilePathGlob(/\.([^.]*)$/.exec(text)?.[1] || '-');
  if (!ending.ok || secretEndings.some(ending.value)) return `${text} may find a secret`;
  return secretSamples.some(glob.value) ? `${text} may find a secret` : null;
}
