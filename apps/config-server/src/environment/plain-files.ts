// Serves plain files. Placeholders are resolved by the environment of the request, and protected values are decrypted.
import { isUtf8 } from 'node:buffer';
import { BackendError } from '../backends/backend-error.js';
import type { EnvironmentBackend, PlainFile } from '../backends/environment-backend.js';
import { EnvironmentError } from '../errors/environment-error.js';
import type { EnvironmentAddress } from './environment-request.js';
import type { Environments } from './environments.js';
import { CIPHER_PREFIX, type CipherValues } from './cipher-values.js';
import { placeholderResolver } from './rendering/placeholder-resolver.js';

/** In bytes. Larger files can only be served unchanged. */
const MAX_TRANSFORMED_SIZE = 1_048_576;

export interface PlainFilesOptions {
  /** The strongest first; the first that has a file serves it. */
  readonly backends: readonly EnvironmentBackend[];
  readonly environments: Environments;
  /** Undefined when protected values in files are served encrypted. */
  readonly protectedValues: CipherValues | undefined;
}

export interface ReadOptions {
  readonly resolvesPlaceholders: boolean;
  /** Serves the bytes unchanged. */
  readonly isRaw: boolean;
}

export class PlainFiles {
  constructor(private readonly options: PlainFilesOptions) {}

  /** @throws EnvironmentError FILE_UNKNOWN; BackendError SOURCE_MALFORMED for a file too large to transform */
  async read(address: EnvironmentAddress, path: string, options: ReadOptions): Promise<PlainFile> {
    const file = await this.find(address, path);
    if (file === undefined) throw new EnvironmentError('FILE_UNKNOWN', 'there is no such file');
    const { content, modified } = file;
    if (options.isRaw || !isText(content)) return file;
    const resolves = options.resolvesPlaceholders && content.includes('${');
    const decrypts = this.options.protectedValues !== undefined && content.includes(CIPHER_PREFIX);
    if (!resolves && !decrypts) return file;
    if (content.length > MAX_TRANSFORMED_SIZE) throw tooLarge(path);
    const encoding = isUtf8(content) ? 'utf8' : 'latin1';
    const encode = encoding === 'utf8' ? unchanged : inLatin1;
    let text = content.toString(encoding);
    if (resolves) {
      const { environments } = this.options;
      const { sources } = await environments.assemble(await environments.find(address));
      text = placeholderResolver(sources, encode)(text);
    }
    text = (await this.options.protectedValues?.decryptText(text, path, encode)) ?? text;
    return { content: Buffer.from(text, encoding), modified };
  }

  private async find(address: EnvironmentAddress, path: string): Promise<PlainFile | undefined> {
    for (const backend of this.options.backends) {
      const file = await backend.readFile?.({ ...address, path });
      if (file !== undefined) return file;
    }
    return undefined;
  }
}

/** A file with a NUL is binary, and served as it is. */
export function isText(content: Buffer): boolean {
  return !content.includes(0);
}

function unchanged(text: string): string {
  return text;
}

/** For a file of unknown encoding, whose bytes are read as ISO-8859-1: a value with other characters is inserted as UTF-8. */
function inLatin1(text: string): string {
  return /[^\p{ASCII}\u0080-\u00ff]/u.test(text) ? Buffer.from(text).toString('latin1') : text;
}

function tooLarge(path: string): BackendError {
  const reason =
    'is larger than 1 MiB: what stands in it is served only as it is (application/octet-stream)';
  return new BackendError('SOURCE_MALFORMED', `${path} ${reason}`);
}
