/** Texts that are secrets by their form alone. Each is tried on one token, from its begin: no search is repeated. */
export interface SecretShape {
  /** Stands in the mark. */
  readonly name: string;
  readonly form: RegExp;
}

export const tokenShapes: readonly SecretShape[] = [
  { name: 'github-token', form: /^(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})$/ },
  { name: 'gitlab-token', form: /^glpat-[A-Za-z0-9_-]{20,}$/ },
  { name: 'aws-key', form: /^(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}$/ },
  { name: 'google-key', form: /^AIza[A-Za-z0-9_-]{35}$/ },
  { name: 'slack-token', form: /^xox[abeoprs]-[A-Za-z0-9-]{10,}$/ },
  { name: 'npm-token', form: /^npm_[A-Za-z0-9]{36}$/ },
  { name: 'pypi-token', form: /^pypi-[A-Za-z0-9_-]{40,}$/ },
  { name: 'stripe-key', form: /^[sr]k_(?:live|test)_[A-Za-z0-9]{16,}$/ },
  { name: 'slack-token', form: /^xapp-\d-[A-Za-z0-9-]{20,}$/ },
  { name: 'huggingface-token', form: /^hf_[A-Za-z0-9]{34}$/ },
  { name: 'digitalocean-token', form: /^do[opr]_v1_[a-f0-9]{64}$/ },
  { name: 'docker-token', form: /^dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}$/ },
  { name: 'shopify-token', form: /^shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}$/ },
  { name: 'atlassian-token', form: /^ATATT3[A-Za-z0-9_-]{40,}$/ },
  { name: 'google-key', form: /^GOCSPX-[A-Za-z0-9_-]{28}$/ },
  { name: 'api-key', form: /^(?:nvapi|xai)-[A-Za-z0-9_-]{40,}$/ },
  { name: 'api-key', form: /^gsk_[A-Za-z0-9]{40,}$/ },
  { name: 'age-key', form: /^AGE-SECRET-KEY-1[A-Z0-9]{50,}$/ },
  // A digit and a capital letter tell a key from a long name with dashes.
  { name: 'api-key', form: /^sk-(?=[A-Za-z_-]*[0-9])(?=[a-z0-9_-]*[A-Z])[A-Za-z0-9_-]{20,}$/ },
  { name: 'api-key', form: /^sk-(?:ant|proj|or|svcacct)-[A-Za-z0-9_-]{16,}$/ },
  { name: 'api-key', form: /^sk-(?=[a-z]*[0-9])[a-z0-9]{32,}$/ },
];

/** Three parts with dots between them: a header and a payload that begin as JSON does, and a signature. */
export const jwtParts: readonly RegExp[] = [
  /^eyJ[A-Za-z0-9_-]{10,}$/,
  /^eyJ[A-Za-z0-9_-]{10,}$/,
  /^[A-Za-z0-9_-]{10,}$/,
];

export const pemBegin = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
export const pemEnd = /-----END [A-Z ]{0,40}PRIVATE KEY-----/;
/**
 * A line of such a key, also with the number that a listing puts before it. What stands before the key does not end with a
 * digit, or a long line of digits could be read in as many ways as it has digits.
 */
export const keyLine = /^(?:[\s\d:|→-]*[\s:|→-])?[A-Za-z0-9+/=]{16,}\s*$/;

/** Names of marks besides those of variables. */
export const shapeNames: readonly string[] = [
  ...new Set([...tokenShapes.map(({ name }) => name), 'jwt', 'private-key', 'url-password']),
];
