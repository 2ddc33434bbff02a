// HTTP statuses that differ between the specification and existing servers. Bodies are the same.

/** `documented` follows the specification; `apereo` follows an existing server, for drop-in replacement. */
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

/** The dialect of the registered service, or else that of the server. */
export function dialectOf(
  service: { readonly properties: Readonly<Record<string, string>> } | undefined,
  serverDialect: Dialect,
): Dialect {
  const own = service?.properties['dialect'];
  return DIALECTS.find((dialect) => dialect === own) ?? serverDialect;
}
