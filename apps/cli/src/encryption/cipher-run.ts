// Runs `tessera encrypt` and `tessera decrypt`: arguments first, then the key, then the text.
import { cryptLines } from './cipher-batch.js';
import { readCipherPassword, type CipherRequest } from './cipher-input.js';
import { openCipher } from './cipher-key.js';
import { checkAlias } from './cipher-key-file.js';
import { checkOptions } from './cipher-options.js';
import { configuredKeys } from './cipher-settings.js';
import { decryptText, encryptText } from './cipher-text.js';
import { areJasyptArguments, readJasyptArguments } from './jasypt-arguments.js';

/** A request with its arguments as they were given. */
export interface AskedRequest extends Omit<CipherRequest, 'texts'> {
  /** In front of `--`: a text, or arguments as Jasypt has them. */
  readonly args: readonly string[];
  /** Behind `--`: texts, whatever they look like. */
  readonly literals: readonly string[];
}

/** @throws CliError, CryptoError or SettingsError with one message for the terminal */
export async function runCipherCommand(
  asked: AskedRequest,
  settings: readonly string[],
): Promise<void> {
  const request = requestOf(asked);
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

function requestOf({ args, literals, ...asked }: AskedRequest): CipherRequest {
  if (!areJasyptArguments(args)) return { ...asked, texts: [...args, ...literals] };
  const { texts, options } = readJasyptArguments(args, asked.options.kind);
  return { ...asked, texts: [...texts, ...literals], options: { ...options, ...asked.options } };
}
