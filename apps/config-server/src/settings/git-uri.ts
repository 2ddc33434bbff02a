// Validates the address of a git repository.

export type GitTransport = 'https' | 'http' | 'ssh' | 'file';

const HOST = String.raw`(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])`;
const USER = String.raw`[A-Za-z0-9_][A-Za-z0-9._-]*`;

/** They exclude a user, password, query and fragment, which may contain secrets, and anything git could take for an option. */
const FORMS: readonly (readonly [GitTransport, RegExp])[] = [
  ['https', new RegExp(String.raw`^https://${HOST}(?::\d+)?/[^?#@]+$`)],
  ['http', new RegExp(String.raw`^http://${HOST}(?::\d+)?/[^?#@]+$`)],
  ['ssh', new RegExp(String.raw`^ssh://(?:${USER}@)?${HOST}(?::\d+)?/[^?#@]+$`)],
  ['ssh', new RegExp(String.raw`^${USER}@${HOST}:[^-?#@:][^?#@:]*$`)],
  ['file', /^file:\/\/\/[^?#]+$/],
  ['file', /^\//],
];
/** The port is required, because git's default is 1080. */
const PROXY = new RegExp(String.raw`^https?://${HOST}:\d+/?$`);
const CONTROL = /\p{Cc}/u;
const USERINFO = /^https?:\/\/[^/]*@|^ssh:\/\/[^/@]*:[^/]*@/;

/** The transport of an address; undefined where the address is not allowed. */
export function gitTransportOf(uri: string): GitTransport | undefined {
  if (CONTROL.test(uri)) return undefined;
  return FORMS.find(([, form]) => form.test(uri))?.[0];
}

/** The violation of an address, without any part of it, because it may contain a password. */
export function gitUriViolation(uri: string): string | undefined {
  if (gitTransportOf(uri) !== undefined) return undefined;
  return USERINFO.test(uri)
    ? 'may hold neither user nor password: they have settings of their own'
    : 'must be https://…, http://…, ssh://…, git@host:path, file:///… or an absolute path';
}

/** The violation of the address of a proxy, without any part of it, because it may contain a password. */
export function proxyUriViolation(uri: string): string | undefined {
  if (PROXY.test(uri) && URL.canParse(uri)) return undefined;
  return 'must be http://host:port or https://host:port, without user and password';
}
