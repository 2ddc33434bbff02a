// The formats of import files.
import { AccountError } from './account-error.js';
import { readCsv } from './import-csv.js';
import type { ParsedFile } from './import-entry.js';
import { readHtpasswd } from './import-htpasswd.js';
import { readJson } from './import-json.js';
import { readLdif, type LdifOptions } from './import-ldif.js';

export const IMPORT_FORMATS = ['csv', 'json', 'ldif', 'htpasswd'] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

const READERS: Readonly<Record<ImportFormat, (text: string, ldif?: LdifOptions) => ParsedFile>> = {
  csv: readCsv,
  json: readJson,
  ldif: readLdif,
  htpasswd: readHtpasswd,
};

// All entries are in memory at once.
const MAX_BYTES = 256 * 1024 * 1024;

/** @throws AccountError ACCOUNT_IMPORT_UNREADABLE for bytes that are not in the format */
export function readImportFile(
  file: Uint8Array,
  format: ImportFormat,
  ldif: LdifOptions = {},
): ParsedFile {
  if (file.length > MAX_BYTES) {
    throw unreadable('the file has more than 256 MiB: split it');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw unreadable('the file is not UTF-8 text');
  }
  return READERS[format](text, ldif);
}

function unreadable(reason: string): AccountError {
  return new AccountError('ACCOUNT_IMPORT_UNREADABLE', reason);
}
