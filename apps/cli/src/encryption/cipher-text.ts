// Encrypts or decrypts one text and prints the result.
import { CryptoError, type Cipher } from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import {
  escapeJsonForTerminal,
  escapeLinesForTerminal,
  writeLine,
  type Terminal,
} from '../terminal.js';
import { readText, utf8, type CipherRequest } from './cipher-input.js';
import { warnAboutWeakCipher } from './cipher-keys.js';
import { UNDECRYPTABLE } from './cipher-options.js';

const PREFIX = /^\{(?:cas-)?cipher\}/;
/** The form of jasypt-spring-boot. */
const JASYPT = /^ENC\((.*)\)$/s;
const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;

/** Encrypts a text and prints it as a value for a settings file. */
export async function encryptText(cipher: Cipher, request: CipherRequest): Promise<void> {
  const { options, terminal } = request;
  const encrypted = await encryptWith(cipher, await readText(request));
  const text = options.hexadecimal ? hexadecimalOf(encrypted) : encrypted;
  const prefixed = options.prefix ? `{cipher}${text}` : text;
  warnAboutWeakCipher(cipher, terminal);
  writeLine(terminal.stdout, options.json ? JSON.stringify({ cipher: prefixed }) : prefixed);
}

/**
 * Decrypts a text and prints it.
 *
 * @throws CliError with exit code {@link UNDECRYPTABLE} where the text cannot be decrypted
 */
export async function decryptText(cipher: Cipher, request: CipherRequest): Promise<void> {
  const { options, terminal } = request;
  const text = withoutPrefix(await readText(request));
  const plain = await decryptWith(cipher, options.hexadecimal ? base64Of(text) : text);
  const shown = options.json
    ? plaintextJsonOutput({ plain }, terminal)
    : plaintextOutput(plain, terminal);
  writeLine(terminal.stdout, shown);
}

export function encryptWith(cipher: Cipher, plain: string): Promise<string> {
  return cipher.encrypt(Buffer.from(plain));
}

/** @throws CliError where the text cannot be decrypted, or does not contain UTF-8 */
export async function decryptWith(cipher: Cipher, text: string): Promise<string> {
  try {
    const plain = utf8(await cipher.decrypt(text));
    if (plain !== undefined) return plain;
  } catch (error) {
    if (!(error instanceof CryptoError && error.code === 'TEXT_UNDECRYPTABLE')) throw error;
  }
  throw new CliError('Text not encrypted with this key', UNDECRYPTABLE);
}

/** A plaintext as it is, or escaped for a terminal, which would execute its control characters. Its line ends stay. */
function plaintextOutput(text: string, { stdout }: Terminal): string {
  return stdout.isTTY ? escapeLinesForTerminal(text) : text;
}

export function plaintextJsonOutput(value: object, { stdout }: Terminal): string {
  const json = JSON.stringify(value);
  return stdout.isTTY ? escapeJsonForTerminal(json) : json;
}

/** The text without surrounding white space, and without the prefix or the `ENC( )` of Jasypt. */
export function withoutPrefix(text: string): string {
  return text.trim().replace(PREFIX, '').replace(JASYPT, '$1').trim();
}

function hexadecimalOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex').toUpperCase();
}

/** A text with other characters becomes `!`, which is no Base64 either. */
function base64Of(hexadecimal: string): string {
  const isHexadecimal = HEXADECIMAL.test(hexadecimal);
  return isHexadecimal ? Buffer.from(hexadecimal, 'hex').toString('base64') : '!';
}
