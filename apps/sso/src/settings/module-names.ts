// The names that `sso.modules` may list.

export const MODULE_NAMES = ['login', 'oidc', 'rest', 'rest-services', 'rest-x509'] as const;
export type ModuleName = (typeof MODULE_NAMES)[number];

export function isModuleName(name: string): name is ModuleName {
  return (MODULE_NAMES as readonly string[]).includes(name);
}
