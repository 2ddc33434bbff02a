// Owns serving files as such: found by the backends, with placeholders resolved by the environment they are asked for in.
import { isUtf8 } from 'node:buffer';
import { BackendError } from '../backends/backend-error.js';
import type { EnvironmentBackend, PlainFile } from '../backends/environment-backend.js';
import { EnvironmentError } from './environment-error.js';
import type { EnvironmentAddress } from './environment-path.js';
import type { Environments } from './environments.js';
import { CIPHER, type CipherValues } from './cipher-values.js';
import { placeholderResolver } from './rendering/placeholder-resolver.js';

/** In bytes; others are served as they are. */
const LARGEST_CHANGED = 1_048_576;

export interface PlainFilesOptions {
  /** The strongest first; the first that has a file serves it. */
  readonly backends: readonly EnvironmentBackend[];
  readonly environments: Environments;
  /** Undefined where protected values in files stay as they are. */
  readonly protectedValues: CipherValues | undefined;
}

/** What is done to a file before it is served. */
export interface Treatment {
  readonly resolvesPlaceholders: boolean;
  /** Its bytes as they are, whatever is in them. */
  readonly isRaw: boolean;
}

export class PlainFiles {
  constructor(private readonly options: PlainFilesOptions) {}

  /** @throws EnvironmentError FILE_UNKNOWN; BackendError SOURCE_MALFORMED for one too large to be changed */
  async read(address: EnvironmentAddress, path: string, treatment: Treatment): Promise<PlainFile> {
    const file = await this.find(address, path);
    if (file === undefined) throw new EnvironmentError('FILE_UNKNOWN', 'there is no such file');
    const { content, modified } = file;
    if (treatment.isRaw || !isUtf8(content)) return file;
    const resolves = treatment.resolvesPlaceholders && content.includes('${');
    const opens = this.options.protectedValues !== undefined && content.includes(CIPHER);
    if (!resolves && !opens) return file;
    if (content.length > LARGEST_CHANGED) throw tooLarge(path);
    let text = content.toString('utf8');
    if (resolves) {
      const { sources } = await this.options.environments.find(address);
      text = placeholderResolver(sources)(text);
    }
    text = (await this.options.protectedValues?.openText(text, path)) ?? text;
    return { content: Buffer.from(text), modified };
  }

  private async find(address: EnvironmentAddress, path: string): Promise<PlainFile | undefined> {
    for (const backend of this.options.backends) {
      const file = await backend.readFile?.({ ...address, path });
      if (file !== undefined) return file;
    }
    return undefined;
  }
}

function tooLarge(path: string): BackendError {
  const reason =
    'is larger than 1 MiB: what stands in it is served only as it is (application/octet-stream)';
  return new BackendError('SOURCE_MALFORMED', `${path} ${reason}`);
}
