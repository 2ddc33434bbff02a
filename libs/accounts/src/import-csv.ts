// Reads accounts from CSV (RFC 4180, UTF-8) with a header line.
import { CsvError, parse } from 'csv-parse/sync';
import { AccountError } from './account-error.js';
import { holdsPassword, NOT_FOR_SERVICES } from './account-rules.js';
import type { ImportEntry, ImportViolation, ParsedFile } from './import-entry.js';

const FIELDS = ['name', 'password', 'passwordHash', 'disabled', 'expires'] as const;
type Field = (typeof FIELDS)[number];

const TRUTH = new Map<string, unknown>([
  ['', false],
  ['false', false],
  ['true', true],
]);

/** A record and the number of its last line. */
interface CsvLine {
  readonly record: readonly string[];
  readonly number: number;
}

/** A column holds a field of the account or an attribute. */
type Column = { readonly field: Field } | { readonly attribute: string };

/** @throws AccountError ACCOUNT_IMPORT_UNREADABLE for invalid CSV or missing columns */
export function readCsv(text: string): ParsedFile {
  const [header, ...lines] = parseLines(text);
  const columns = (header?.record ?? []).map(columnOf);
  checkColumns(columns);
  const entries: ImportEntry[] = [];
  const violations: ImportViolation[] = [];
  for (const { record, number } of lines) {
    const position = `line ${number}`;
    if (record.length === columns.length) {
      entries.push(entryOf(record, columns, position));
    } else {
      const fields = record.length === 1 ? '1 field' : `${record.length} fields`;
      const reason = `has ${fields} where the header has ${columns.length}`;
      violations.push({ position, reason });
    }
  }
  return { entries, violations };
}

/**
 * Matches titles of fields in any case and with any separator, so that `Password` or `password_hash` never
 * becomes an attribute, which services would receive.
 */
function columnOf(title: string): Column {
  const plain = plainTitle(title);
  const field = FIELDS.find((name) => plainTitle(name) === plain);
  return field === undefined ? { attribute: title.trim() } : { field };
}

function plainTitle(title: string): string {
  return title.toLowerCase().replaceAll(/[\s_-]/g, '');
}

function checkColumns(columns: readonly Column[]): void {
  const fields = columns.flatMap((column) => ('field' in column ? [column.field] : []));
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (!fields.includes('name')) {
    throw unreadable('has no column "name"; its first line names the columns, between commas');
  }
  if (twice !== undefined) {
    throw unreadable(`has the column "${twice}" twice`);
  }
  const attributes = columns.flatMap((column) => ('attribute' in column ? [column.attribute] : []));
  if (attributes.includes('')) {
    throw unreadable('has a column without a title');
  }
  const secret = attributes.find(holdsPassword);
  if (secret !== undefined) {
    throw unreadable(`has the column "${secret}", which ${NOT_FOR_SERVICES}; ${SECRET_TITLES}`);
  }
}

const SECRET_TITLES = 'call it password or passwordHash, or leave it out';

/** An empty password or hash means no change; any other empty cell clears the value. */
function entryOf(
  record: readonly string[],
  columns: readonly Column[],
  position: string,
): ImportEntry {
  const fields = new Map<Field, string>();
  const attributes = new Map<string, readonly string[]>();
  for (const [index, column] of columns.entries()) {
    const cell = record[index] ?? '';
    if ('field' in column) {
      fields.set(column.field, cell);
    } else {
      const before = attributes.get(column.attribute) ?? [];
      attributes.set(column.attribute, [...before, ...valuesOf(cell)]);
    }
  }
  const disabled = fields.get('disabled')?.trim();
  const expires = fields.get('expires')?.trim();
  return {
    position,
    name: fields.get('name'),
    password: unlessEmpty(fields.get('password')),
    passwordHash: unlessEmpty(fields.get('passwordHash')?.trim()),
    disabled: disabled === undefined ? undefined : (TRUTH.get(disabled.toLowerCase()) ?? disabled),
    expires: expires === '' ? null : expires,
    attributes: Object.fromEntries(attributes),
  };
}

function unlessEmpty(cell: string | undefined): string | undefined {
  return cell === '' ? undefined : cell;
}

function valuesOf(cell: string): readonly string[] {
  return cell
    .split(';')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function parseLines(text: string): readonly CsvLine[] {
  const lines: CsvLine[] = [];
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (record: string[], { lines: number }) => {
        lines.push({ record, number });
        return null;
      },
    });
  } catch (error) {
    // The parser's message quotes the cell, which may be a password, so only its code is reported.
    const code = error instanceof CsvError ? error.code : 'CSV_INVALID';
    const line = error instanceof CsvError ? String(error['lines']) : '?';
    throw unreadable(`is not valid CSV at line ${line} (${code})`);
  }
  return lines;
}

function unreadable(reason: string): AccountError {
  return new AccountError('ACCOUNT_IMPORT_UNREADABLE', `the file ${reason}`);
}
