// Runs `tessera keygen`: makes keys, and tokens and password hashes of clients.
import { generateKeyPair } from 'node:crypto';
import { basename, extname } from 'node:path';
import { promisify } from 'node:util';
import {
  formOf,
  newKeyFile,
  PasswordHashing,
  randomId,
  sha256,
  writeKeyFile,
} from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { readPassword } from '../input.js';
import { writeLine, type Terminal } from '../terminal.js';

export interface KeygenOptions {
  readonly id?: string;
  /** Bits. */
  readonly rsa?: string;
  readonly token?: boolean;
  readonly passwordHash?: boolean;
  readonly json?: boolean;
}

/** 43 of 62 possible characters: 256 bits. */
const TOKEN_LENGTH = 43;
const [MIN_RSA_BITS, MAX_RSA_BITS] = [2048, 4096];

interface NewKey {
  /** The name in `{key:…}`, which encrypted texts of an AES key contain. */
  readonly id: string;
  /** The content of the file. */
  readonly text: string;
}

/** @throws CliError, or CryptoError for a file that cannot be written */
export async function keygen(
  path: string | undefined,
  options: KeygenOptions,
  terminal: Terminal,
): Promise<void> {
  const { token = false, passwordHash = false } = options;
  if (path !== undefined && (token || passwordHash)) {
    throw new CliError('a token or hash goes to standard output, not to a file');
  }
  writeLine(terminal.stdout, await outputOf(path, options, terminal));
}

async function outputOf(
  path: string | undefined,
  options: KeygenOptions,
  terminal: Terminal,
): Promise<string> {
  if (options.token) return formatted(newToken(), options);
  if (options.passwordHash) {
    const password = await readPassword({}, terminal);
    return formatted({ 'password-hash': await new PasswordHashing().hash(password) }, options);
  }
  const key = await newKey(path, options);
  return path === undefined ? formattedKey(key, options) : storeKey(key, path, options);
}

async function newKey(path: string | undefined, { id, rsa }: KeygenOptions): Promise<NewKey> {
  if (rsa !== undefined) return newRsaKey(path, rsa);
  const text = newKeyFile(id);
  return { id: formOf(text).slice('v1.'.length), text };
}

async function newRsaKey(path: string | undefined, bits: string): Promise<NewKey> {
  const modulusLength = /^\d+$/.test(bits) ? Number(bits) : 0;
  if (modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS) {
    throw new CliError(
      `--rsa takes ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits; the file stands before it`,
    );
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength });
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { id: path === undefined ? '' : basename(path, extname(path)), text };
}

/** @throws CliError if the file exists already */
async function storeKey(
  { id, text }: NewKey,
  path: string,
  { json }: KeygenOptions,
): Promise<string> {
  if (!(await writeKeyFile(path, text))) {
    throw new CliError(`there is a file ${path} already: nothing was written`);
  }
  return json
    ? JSON.stringify({ id, file: path })
    : `wrote the key ${id} to ${path}\n${NEXT_STEPS}`;
}

function formattedKey({ id, text }: NewKey, { json }: KeygenOptions): string {
  const key = text.trimEnd();
  return json ? JSON.stringify({ ...(id !== '' && { id }), key }) : key;
}

const NEXT_STEPS = `Keep a copy in a safe place: whoever loses it loses every value it protects.
To use it: put it last in encrypt.key-files and reload each node, then first, and reload again (one node alone: first at once).
Then run tessera rotate; docs/encryption.md has the steps.`;

function newToken(): Readonly<Record<string, string>> {
  const token = randomId(TOKEN_LENGTH);
  return { token, 'token-hash': `sha256:${sha256(token)}` };
}

/** A single value alone, several with their names. */
function formatted(values: Readonly<Record<string, string>>, { json }: KeygenOptions): string {
  if (json) return JSON.stringify(values);
  const rows = Object.entries(values);
  return rows.map(([name, value]) => (rows.length === 1 ? value : `${name}: ${value}`)).join('\n');
}
