// Owns which answers of the file system mean that there is no such file.

const CODES = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** Anything else (no permission, no more handles, a broken disk) leaves open whether there is one. */
export function isNotFound(error: unknown): boolean {
  return CODES.has((error as NodeJS.ErrnoException).code ?? '');
}
