// `tessera encrypt` and `tessera decrypt` of one text.
import { CryptoError, type Cipher } from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { readText, utf8, type CipherRequest } from './cipher-input.js';
import { UNDECRYPTABLE } from './cipher-options.js';
import { warnOfWriting } from './cipher-warning.js';
import { plaintextJsonOutput, plaintextOutput } from './plaintext-output.js';
import { writeLine } from '../terminal.js';

const PREFIX = /^\{(?:cas-)?cipher\}/;
/** As jasypt-spring-boot has it. */
const JASYPT = /^ENC\((.*)\)$/s;
const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;

/** Encrypts a text and writes what may stand in a settings file. */
export async function encryptText(cipher: Cipher, request: CipherRequest): Promise<void> {
  const { options, terminal } = request;
  const encrypted = await encryptWith(cipher, await readText(request));
  const text = options.hexadecimal ? hexadecimalOf(encrypted) : encrypted;
  const prefixed = options.prefix ? `{cipher}${text}` : text;
  warnOfWriting(cipher, terminal);
  writeLine(terminal.stdout, options.json ? JSON.stringify({ cipher: prefixed }) : prefixed);
}

/**
 * Writes what an encrypted text holds.
 *
 * @throws CliError with a code of its own where the text cannot be decrypted
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

/** @throws CliError where it cannot be decrypted, or holds no text */
export async function decryptWith(cipher: Cipher, text: string): Promise<string> {
  try {
    const plain = utf8(await cipher.decrypt(text));
    if (plain !== undefined) return plain;
  } catch (error) {
    if (!(error instanceof CryptoError && error.code === 'TEXT_UNDECRYPTABLE')) throw error;
  }
  throw new CliError('Text not encrypted with this key', UNDECRYPTABLE);
}

/** The text without white space around it and what marks it in settings files: a prefix, or Jasypt's `ENC( )`. */
export function withoutPrefix(text: string): string {
  return text.trim().replace(PREFIX, '').replace(JASYPT, '$1').trim();
}

function hexadecimalOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex').toUpperCase();
}

/** What are no digits stays, and is no Base64 either. */
function base64Of(hexadecimal: string): string {
  const isHexadecimal = HEXADECIMAL.test(hexadecimal);
  return isHexadecimal ? Buffer.from(hexadecimal, 'hex').toString('base64') : '!';
}
