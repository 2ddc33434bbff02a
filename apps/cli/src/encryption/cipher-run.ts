// Runs `tessera encrypt` and `tessera decrypt`: arguments first, then the key, then the text.
import { cryptLines } from './cipher-batch.js';
import { readCipherPassword, type CipherRequest } from './cipher-input.js';
import { openCipher } from './cipher-key.js';
import { checkAlias } from './cipher-key-file.js';
import { checkOptions } from './cipher-options.js';
import { configuredKeys } from './cipher-settings.js';
import { decryptText, encryptText } from './cipher-text.js';
import { areJasyptArguments, readJasyptArguments } from './jasypt-arguments.js';

/** @throws CliError, CryptoError or SettingsError with one message for the terminal */
export async function runCipherCommand(
  asked: CipherRequest,
  settings: readonly string[],
): Promise<void> {
  const request = areJasyptArguments(asked.texts) ? inJasyptsWay(asked) : asked;
  const { task, texts, options, terminal } = request;
  checkOptions(options, texts.length);
  checkAlias(options.alias, options.keyFile);
  const encrypts = task === 'encrypt';
  const open = () =>
    openCipher(options, {
      encrypts,
      configuredKeys: () => configuredKeys(settings, encrypts, terminal),
      readPassword: () => readCipherPassword(request),
    });
  if (options.batch) {
    // A key file that cannot be used is a fault of the command, not of each line.
    const named = options.keyFile === undefined ? undefined : await open();
    await cryptLines(() => (named ? Promise.resolve(named) : open()), request);
  } else {
    await (encrypts ? encryptText : decryptText)(await open(), request);
  }
}

function inJasyptsWay(asked: CipherRequest): CipherRequest {
  const { texts, options } = readJasyptArguments(asked.texts);
  return { ...asked, texts, options: { ...options, ...asked.options } };
}
