// Reads a file that the person at the terminal named.
import { readFile } from 'node:fs/promises';
import { CliError } from './cli-error.js';

/** The bytes of the file. @throws CliError with the path and the system's word for the fault */
export async function readInputFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new CliError(`cannot read ${path} (${codeOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : 'unknown fault';
}
