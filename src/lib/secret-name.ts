/** What the name of a variable tells of its value. */

const certain =
  /(?:^|_)(?:api)?(?:key|token|secret|password|passwd|passphrase|pass|credential|auth|cookie|dsn|pat)s?(?:_|$)|(?:key|token|secret|password)s?$/i;
const possible = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH/i;

/** The name says that the value is a secret. */
export const namesSecret = (name: string): boolean => certain.test(name);

/** Wider: it may be one. For deciding what is not handed on; too wide for masking, `KEYBOARD` and `AUTHOR` are among them. */
export const mayNameSecret = (name: string): boolean => possible.test(name) || certain.test(name);
