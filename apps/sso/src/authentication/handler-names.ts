// The names that `sso.authentication.handlers` may list.

export const HANDLER_NAMES = ['static', 'accounts', 'ldap'] as const;
export type HandlerName = (typeof HANDLER_NAMES)[number];

export function isHandlerName(name: string): name is HandlerName {
  return (HANDLER_NAMES as readonly string[]).includes(name);
}
