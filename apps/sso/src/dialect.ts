// Owns the statuses that differ between the specification and existing servers. Bodies are the same in both.

/** `documented` is the specification; `apereo` is what drop-in replacements of an existing server are used to. */
export const DIALECTS = ['documented', 'apereo'] as const;
export type Dialect = (typeof DIALECTS)[number];

const STATUSES = {
  badCredentials: { documented: 400, apereo: 401 },
  failedValidation: { documented: 400, apereo: 200 },
  throttled: { documented: 429, apereo: 423 },
} as const satisfies Record<string, Record<Dialect, number>>;

/** @see docs/protocol.md, "Dialects" */
export function statusOf(situation: keyof typeof STATUSES, dialect: Dialect): number {
  return STATUSES[situation][dialect];
}

/** A service's own choice, where it made one, else the server's. */
export function dialectOf(
  service: { readonly properties: Readonly<Record<string, string>> } | undefined,
  preset: Dialect,
): Dialect {
  const own = service?.properties['dialect'];
  return DIALECTS.find((dialect) => dialect === own) ?? preset;
}
