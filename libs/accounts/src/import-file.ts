// The formats of import files, and the way from the bytes of one to its entries.
import { AccountError } from './account-error.js';
import { readCsv } from './import-csv.js';
import type { ReadFile } from './import-entry.js';
import { readHtpasswd } from './import-htpasswd.js';
import { readJson } from './import-json.js';
import { readLdif, type LdifOptions } from './import-ldif.js';

export const IMPORT_FORMATS = ['csv', 'json', 'ldif', 'htpasswd'] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

const READERS: Readonly<Record<ImportFormat, (text: string, ldif?: LdifOptions) => ReadFile>> = {
  csv: readCsv,
  json: readJson,
  ldif: readLdif,
  htpasswd: readHtpasswd,
};

// Its entries are held in memory all at once.
const MAX_BYTES = 256 * 1024 * 1024;

/** @throws AccountError ACCOUNT_IMPORT_UNREADABLE where the bytes are not the format at all */
export function readImportFile(
  file: Uint8Array,
  format: ImportFormat,
  ldif: LdifOptions = {},
): ReadFile {
  if (file.length > MAX_BYTES) {
    throw unreadable('the file has more than 256 MiB: divide it');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw unreadable('the file is not UTF-8 text');
  }
  return READERS[format](text, ldif);
}

function unreadable(problem: string): AccountError {
  return new AccountError('ACCOUNT_IMPORT_UNREADABLE', problem);
}
