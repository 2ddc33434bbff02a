// The authenticated user.

/** Values by attribute name. Any text may be a name, even `__proto__`: read with Object.entries. */
export type Attributes = Readonly<Record<string, readonly string[]>>;

export interface Principal {
  readonly id: string;
  readonly attributes: Attributes;
}

/** The values of an attribute; empty where the principal does not have it. */
export function valuesOf(principal: Principal, name: string): readonly string[] {
  return (Object.hasOwn(principal.attributes, name) && principal.attributes[name]) || [];
}
