/** Whether a command may name a path without a question. */
import type { PermissionPorts } from '../contract.ts';
import { compilePathGlob } from '../rules/path-glob.ts';
import type { NamedPath } from './named-paths.ts';
import { beforeClimbs, beforePattern, placeOf } from './place-of.ts';
import { sensitivity } from './sensitive.ts';

export interface PathPlaces {
  readonly workspace: string;
  readonly folders: readonly string[];
  readonly ports: PermissionPorts | null;
}

/** Where a path could lead, relative to the workspace, links followed; or why it asks. */
export type PathJudgement = { readonly places: readonly string[] } | { readonly asks: string };

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
  for (const folder of where.folders) {
    const checked = pattern ? beforePattern(text) : text;
    for (const part of [...beforeClimbs(checked), checked]) {
      const place = placeOf(part, folder, where.workspace);
      if (place === null) return { asks: `${text} is outside the workspace` };
      const real = where.ports === null ? place : await realOf(place, where.ports);
      if (real === null) return { asks: `${text} leads out of the workspace` };
      places.push(real);
      if (real !== place) places.push(place);
    }
  }
  if (pattern) {
    const why = patternAsks(text);
    if (why !== null) return { asks: why };
  }
  for (const place of [text, ...places]) {
    const why = sensitivity(place);
    if (why !== null) return { asks: why };
  }
  return { places };
}

/** Too long a text is no path, and no file system takes it. */
async function realOf(place: string, ports: PermissionPorts): Promise<string | null> {
  return place.length > 1000 ? place : ports.realPath(place);
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
