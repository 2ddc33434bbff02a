// The interface of a family of password hashes.

/** Whether the password matches the parsed hash. Rejects only for system errors. */
export type PasswordCheck = (password: Buffer) => Promise<boolean>;

/**
 * Parses a hash of its family quickly; only the returned check is expensive.
 *
 * `undefined` for any other text: another family, a damaged hash, or one whose check would take more
 * than about two seconds of a core or 256 MiB.
 */
export type PasswordScheme = (hash: string) => PasswordCheck | undefined;
