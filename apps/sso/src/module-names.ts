// Owns the names of the optional modules, as `sso.modules` lists them.

export const MODULE_NAMES = ['rest', 'rest-services', 'rest-x509'] as const;
export type ModuleName = (typeof MODULE_NAMES)[number];

export function isModuleName(name: string): name is ModuleName {
  return (MODULE_NAMES as readonly string[]).includes(name);
}
