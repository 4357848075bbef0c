/**
 * A base URL with its version: users give it with and without `/v1` and with trailing slashes. A path that already
 * has a version anywhere is left alone. Null where the text is no http(s) URL.
 */
export function baseUrl(text: string, version: string): string | null {
  if (!URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const path = url.pathname.replace(/\/+$/, '');
  const versioned = /\/v\d+[a-z0-9]*(\/|$)/.test(path) ? path : `${path}/${version}`;
  return `${url.origin}${versioned}${url.search}`;
}
