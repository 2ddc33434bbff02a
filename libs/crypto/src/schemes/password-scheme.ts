// The port of password hashes that other systems made: one family of them a file beside this one.

/** Whether the hash it was read from was made of these bytes. Rejects only for faults of the machine. */
export type PasswordCheck = (password: Buffer) => Promise<boolean>;

/**
 * Reads a hash of its family, and promises to be quick about it: the work is in the check.
 *
 * `undefined` for any other text: of another family, damaged, or so dear that checking it would take
 * more than about two seconds of a core or 256 MiB.
 */
export type PasswordScheme = (hash: string) => PasswordCheck | undefined;
