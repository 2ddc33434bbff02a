// Parses files of properties, and caches the results by path and revision.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  PropertySourceError,
  readProperties,
  readXmlProperties,
  readYaml,
  type PropertyDocument,
} from '@tessera/property-sources';
import { BackendError } from '../backend-error.js';
import type { TreeFile } from '../environment-backend.js';

/** In bytes, of a file of properties. */
const MAX_FILE_SIZE = 1_048_576;
/** In bytes, of the whole cache, as estimated. No readable file has a larger estimate. */
const CACHE_SIZE = 16 * 1_048_576;
/** In bytes: the property, its place in the file and in a map, and its strings without their characters. */
const PROPERTY_SIZE = 200;
const ERROR_SIZE = 2000;

export interface ParsedFile {
  /** SHA-256 of the content. */
  readonly digest: string;
  /** In the order of the file: a later one beats an earlier one. */
  readonly documents: readonly PropertyDocument[];
}

/** Errors are cached too: otherwise every request would parse a malformed file again. */
type ParseResult = ParsedFile | { readonly digest: string; readonly error: BackendError };

export class ParsedFileCache {
  private readonly cache = new LRUCache<string, ParseResult>({ maxSize: CACHE_SIZE });

  /**
   * The parsed content of a file, read at most once a revision; undefined where the file has changed since it was found.
   *
   * @throws BackendError SOURCE_MALFORMED, BACKEND_UNAVAILABLE
   */
  async get(path: string, file: TreeFile): Promise<ParsedFile | undefined> {
    if (file.size > MAX_FILE_SIZE) return malformed(path, 'is larger than 1 MiB');
    const key = `${path}\0${file.revision ?? ''}`;
    const cached = this.cache.get(key);
    if (cached && file.revision !== undefined) return unwrap(cached);
    const content = await file.read();
    if (content === undefined) return undefined;
    const digest = digestOf(content);
    // A file without a revision is read each time, and parsed only if its content differs.
    const latest = this.cache.get(key);
    if (latest?.digest === digest) return unwrap(latest);
    const result = parse(path, content, digest);
    this.cache.set(key, result, { size: key.length + estimateSize(result, content) });
    return unwrap(result);
  }
}

/** @param reason follows the name of the file */
export function malformed(path: string, reason: string): never {
  throw new BackendError('SOURCE_MALFORMED', `${path} ${reason}`);
}

function digestOf(content: Buffer): string {
  return hash('sha256', content, 'base64url');
}

/** @param path names the file in the error */
function parse(path: string, content: Buffer, digest: string): ParseResult {
  try {
    return { digest, documents: documentsOf(path, content) };
  } catch (error) {
    if (error instanceof BackendError) return { digest, error };
    if (!(error instanceof PropertySourceError)) throw error;
    return { digest, error: new BackendError('SOURCE_MALFORMED', error.message, error) };
  }
}

function documentsOf(path: string, content: Buffer): readonly PropertyDocument[] {
  if (path.endsWith('.xml')) return readXmlProperties(content, path);
  const isProperties = path.endsWith('.properties');
  const text = decodeUtf8(content) ?? (isProperties ? decodeLatin1(content) : undefined);
  if (text === undefined) return malformed(path, 'is not UTF-8');
  return isProperties ? readProperties(text, path) : readYaml(text, path);
}

/** As Java reads properties that are not UTF-8. UTF-16, which has NULs, would be keys of garbage. @see JEP 226 */
function decodeLatin1(content: Buffer): string | undefined {
  return content.includes(0) ? undefined : content.toString('latin1');
}

function decodeUtf8(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

function unwrap(result: ParseResult): ParsedFile {
  if ('error' in result) throw result.error;
  return result;
}

/** In bytes. A value may be a slice that retains the whole text; keys are strings of their own. */
function estimateSize(result: ParseResult, content: Buffer): number {
  if ('error' in result) return ERROR_SIZE;
  const sizes = result.documents.flatMap(({ properties }) =>
    Array.from(properties, ([key]) => PROPERTY_SIZE + key.length),
  );
  return sizes.reduce((sum, size) => sum + size, 2 * content.length + PROPERTY_SIZE);
}
