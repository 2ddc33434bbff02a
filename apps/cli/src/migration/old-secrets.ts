// Decrypts values of the old server: `{cas-cipher}`, Spring's `{cipher}`, and `ENC( )` of Jasypt.
import { CryptoError, type Cipher, JasyptCipher, KeyRing, passwordRingKey } from '@tessera/crypto';
import { environmentVariable } from '@tessera/runtime';
import { CliError } from '../cli-error.js';
import { utf8 } from '../encryption/cipher-input.js';
import { iterationsOf } from '../encryption/cipher-keys.js';
import { SPRING_SALT } from '../encryption/cipher-options.js';
import { withoutPrefix } from '../encryption/cipher-text.js';
import { readPassword } from '../input.js';
import type { Terminal } from '../terminal.js';
import type { Decrypt, OldSetting } from './old-settings.js';

export interface SecretOptions {
  readonly passwordFile?: string;
  readonly passwordEnv?: string;
  readonly algorithm?: string;
  readonly iterations?: string;
}

/** The defaults of Apereo CAS and of jasypt-spring-boot. */
const CAS_ALGORITHM = 'PBEWithMD5AndTripleDES';
const JASYPT_ALGORITHM = 'PBEWITHHMACSHA512ANDAES_256';

/**
 * The password is that of the options, else one in the old files. Their algorithm counts, too.
 *
 * @throws CliError or CryptoError for an option that is wrong
 */
export async function decrypterOf(
  settings: readonly OldSetting[],
  options: SecretOptions,
  terminal: Terminal,
): Promise<Decrypt> {
  const inFiles = (...names: readonly string[]): string | undefined =>
    settings.find(({ name }) => names.includes(name))?.values.join(',');
  const password =
    (await givenPassword(options, terminal)) ??
    inFiles('cas.standalone.configuration-security.psw', 'jasypt.encryptor.password');
  if (password === undefined || password === '') return () => Promise.resolve(undefined);
  const iterations = iterationsOf(
    options.iterations ?? inFiles('cas.standalone.configuration-security.iterations'),
  );
  const jasypt = (algorithm: string): Cipher =>
    JasyptCipher.open({ algorithm: options.algorithm ?? algorithm, password, iterations });
  const ofCas = jasypt(inFiles('cas.standalone.configuration-security.alg') ?? CAS_ALGORITHM);
  const ofJasypt = jasypt(inFiles('jasypt.encryptor.algorithm') ?? JASYPT_ALGORITHM);
  const ring = new KeyRing([
    await passwordRingKey({ alias: 'password', password, salt: SPRING_SALT, format: 'spring' }),
  ]);
  return (value) => {
    const cipher = /^\s*ENC/.test(value) ? ofJasypt : ofCas;
    return plainText(/^\s*\{cipher\}/.test(value) ? ring : cipher, withoutPrefix(value));
  };
}

async function givenPassword(
  { passwordFile, passwordEnv }: SecretOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  if (passwordFile !== undefined) return readPassword({ passwordFile }, terminal);
  if (passwordEnv === undefined) return undefined;
  const password = environmentVariable(passwordEnv);
  if (password !== undefined && password !== '') return password;
  throw new CliError(`there is no password in the environment variable ${passwordEnv}`);
}

async function plainText(cipher: Cipher, text: string): Promise<string | undefined> {
  try {
    return utf8(await cipher.decrypt(text));
  } catch (error) {
    if (error instanceof CryptoError) return undefined;
    throw error;
  }
}
