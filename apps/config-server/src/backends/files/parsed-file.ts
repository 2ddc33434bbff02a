// Owns the reading of one file of properties from its bytes.
import { hash } from 'node:crypto';
import {
  PropertySourceError,
  readProperties,
  readYaml,
  type PropertyDocument,
} from '@tessera/property-sources';
import { BackendError } from '../backend-error.js';

/** Of bytes; changes with each of them. */
export type ContentDigest = string;

export function contentDigest(content: Buffer): ContentDigest {
  return hash('sha256', content, 'base64url');
}

/** What a file holds. */
export interface ParsedFile {
  readonly digest: ContentDigest;
  /** As written: a later one beats an earlier one. */
  readonly documents: readonly PropertyDocument[];
}

/** @param path names the file in errors @throws BackendError SOURCE_MALFORMED, with the line where there is one */
export function parseFile(path: string, content: Buffer): ParsedFile {
  try {
    const documents = path.endsWith('.properties')
      ? readProperties(propertiesText(content), path)
      : readYaml(utf8Text(content) ?? malformed(path, 'is not UTF-8'), path);
    return { digest: contentDigest(content), documents };
  } catch (error) {
    if (!(error instanceof PropertySourceError)) throw error;
    throw new BackendError('SOURCE_MALFORMED', error.message, error);
  }
}

/** @param reason follows the name of the file */
export function malformed(path: string, reason: string): never {
  throw new BackendError('SOURCE_MALFORMED', `${path} ${reason}`);
}

/** As Java reads bundles of properties: UTF-8 if it can be that, else ISO-8859-1. @see JEP 226 */
function propertiesText(content: Buffer): string {
  return utf8Text(content) ?? content.toString('latin1');
}

function utf8Text(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
