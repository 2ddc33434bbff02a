// Who has logged in, as services see it. How someone logs in is not decided here.

/** Values by attribute name. Any text may be a name, `__proto__` too: read with Object.entries. */
export type Attributes = Readonly<Record<string, readonly string[]>>;

export interface Principal {
  readonly id: string;
  readonly attributes: Attributes;
}

/** The values of one attribute; none for a name the principal does not have. */
export function valuesOf(principal: Principal, name: string): readonly string[] {
  return (Object.hasOwn(principal.attributes, name) && principal.attributes[name]) || [];
}
