// Owns the forms in which the address of a git repository may be written. What is behind it is not known here.

/** How git reaches a repository. */
export type GitTransport = 'https' | 'http' | 'ssh' | 'file';

const HOST = String.raw`(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])`;
const USER = String.raw`[A-Za-z0-9_][A-Za-z0-9._-]*`;

/** No user, password, query or fragment, in which secrets hide; and nothing that could pass for an option. */
const FORMS: readonly (readonly [GitTransport, RegExp])[] = [
  ['https', new RegExp(String.raw`^https://${HOST}(?::\d+)?/[^?#@]+$`)],
  ['http', new RegExp(String.raw`^http://${HOST}(?::\d+)?/[^?#@]+$`)],
  ['ssh', new RegExp(String.raw`^ssh://(?:${USER}@)?${HOST}(?::\d+)?/[^?#@]+$`)],
  ['ssh', new RegExp(String.raw`^${USER}@${HOST}:[^-?#@:][^?#@:]*$`)],
  ['file', /^file:\/\/\/[^?#]+$/],
  ['file', /^\//],
];
const CONTROL = /\p{Cc}/u;
const USERINFO = /^https?:\/\/[^/]*@|^ssh:\/\/[^/@]*:[^/]*@/;

/** How the repository is reached; undefined where the address has none of the forms allowed. */
export function gitTransportOf(uri: string): GitTransport | undefined {
  if (CONTROL.test(uri)) return undefined;
  return FORMS.find(([, form]) => form.test(uri))?.[0];
}

/** What is wrong with an address, without a word of it: somebody may have put a password there. */
export function gitUriFault(uri: string): string | undefined {
  if (gitTransportOf(uri) !== undefined) return undefined;
  return USERINFO.test(uri)
    ? 'may hold neither user nor password: they have settings of their own'
    : 'must be https://…, http://…, ssh://…, git@host:path, file:///… or an absolute path';
}
