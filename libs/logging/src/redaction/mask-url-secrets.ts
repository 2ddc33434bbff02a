// Owns the masking of secrets inside URLs: passwords of connections, and parameters named for one.
import { isSecretField } from './secret-fields.js';

const POSTGRES_URL = /(?<=postgres(?:ql)?:\/\/)[^\s"'<>]+/gi;
const AUTHORITY = /(?<=:\/\/)[^\s/?#"'<>]+/g;
const PARAMETER = /(?<=^|[?&\s])([\w.-]{1,64})=[^&#\s"'<>]+/g;

/** `postgresql://user:pass@host` → `postgresql://user:[redacted]@host`; `?token=x` likewise. */
export function maskUrlSecrets(text: string): string {
  const masked = text.includes('://')
    ? text.replace(POSTGRES_URL, maskUserInfo).replace(AUTHORITY, maskUserInfo)
    : text;
  return masked.includes('=') ? masked.replace(PARAMETER, maskParameter) : masked;
}

function maskParameter(pair: string, name: string): string {
  return isSecretField(name) ? `${name}=[redacted]` : pair;
}

/** The password ends at the last `@`: people forget to encode those inside it. */
function maskUserInfo(authority: string): string {
  const end = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (colon === -1 || colon > end) return authority;
  return `${authority.slice(0, colon)}:[redacted]${authority.slice(end)}`;
}
