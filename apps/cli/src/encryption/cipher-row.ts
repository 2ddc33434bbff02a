// One input line of a batch: a JSON object with a text, and the kind and key of its cipher.
import {
  JasyptCipher,
  privateKeyOfPem,
  SpringRsaCipher,
  SpringTextCipher,
  type Cipher,
} from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { utf8 } from './cipher-input.js';
import { iterationsOf } from './cipher-keys.js';
import { SPRING_SALT } from './cipher-options.js';

/** The fields of a line by name. Numbers and booleans become text. */
export type Row = ReadonlyMap<string, string>;

/** @throws CliError that does not quote the line, because it contains secrets */
export function readRow(line: Buffer | undefined): Row {
  if (line === undefined) throw new CliError('the line is too long');
  const value = parse(utf8(line) ?? '');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CliError('the line is no JSON object');
  }
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  const nested = fields.find(([, field]) => typeof field === 'object');
  if (nested) throw new CliError(`${JSON.stringify(nested[0])} must be a text`);
  return new Map(fields.map(([name, field]) => [name, String(field)]));
}

/** @throws CliError naming a field that is missing, or that UTF-8 cannot encode */
export function fieldOf(row: Row, name: string): string {
  const value = row.get(name);
  if (value === undefined) throw new CliError(`the field ${name} is missing`);
  if (!value.isWellFormed()) throw new CliError(`the field ${name} has half a surrogate pair`);
  return value;
}

/**
 * The cipher for the `kind` of a line; `undefined` for a line without one.
 *
 * @throws CliError or CryptoError naming a missing or invalid field
 */
export async function cipherOfRow(row: Row): Promise<Cipher | undefined> {
  const kind = row.get('kind');
  switch (kind) {
    case undefined:
      return undefined;
    case 'text':
    case 'delux':
      return SpringTextCipher.open({
        kind,
        password: fieldOf(row, 'password'),
        salt: row.get('salt') ?? SPRING_SALT,
      });
    case 'rsa':
      return rsaCipher(row);
    case 'jasypt':
      return jasyptCipher(row);
    default:
      throw new CliError(`the kind ${JSON.stringify(kind)} is not text, delux, rsa or jasypt`);
  }
}

function rsaCipher(row: Row): Cipher {
  const padding = row.get('alg') ?? 'DEFAULT';
  if (padding !== 'DEFAULT' && padding !== 'OAEP') {
    throw new CliError('the alg of kind rsa is DEFAULT or OAEP');
  }
  return new SpringRsaCipher(privateKeyOfPem(fieldOf(row, 'pem'), 'the field pem'), {
    padding,
    strong: booleanOf(row, 'strong') ?? false,
    salt: row.get('salt') ?? SPRING_SALT,
  });
}

function jasyptCipher(row: Row): Cipher {
  return JasyptCipher.open({
    algorithm: fieldOf(row, 'alg'),
    password: fieldOf(row, 'password'),
    iterations: iterationsOf(row.get('iterations')),
    hasIvGenerator: booleanOf(row, 'iv'),
    provider: row.get('provider'),
  });
}

function booleanOf(row: Row, name: string): boolean | undefined {
  const value = row.get(name);
  if (value !== undefined && value !== 'true' && value !== 'false') {
    throw new CliError(`the field ${name} must be true or false`);
  }
  return value === undefined ? undefined : value === 'true';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
