// Owns what the path of a request asks for: an environment, one of its flattened forms, or a file. Pure; which names may
// stand in it is path-names' affair.
import type { EnvironmentQuery } from '../backends/environment-backend.js';
import { EnvironmentError } from './environment-error.js';
import {
  applicationNames,
  decodeSegment,
  filePath,
  labelName,
  profileNames,
  refuseManyPairs,
} from './path-names.js';

export type FlattenedFormat = 'yml' | 'properties' | 'json';

/** Which environment is meant, with the names as its answer repeats them. */
export interface EnvironmentAddress extends EnvironmentQuery {
  /** `orders` or `orders,billing`. */
  readonly name: string;
  /** `prod` or `dev,prod`. */
  readonly profile: string;
}

/** What a request asks for. */
export type ParsedPath =
  | { readonly form: 'environment'; readonly address: EnvironmentAddress }
  | {
      readonly form: 'flattened';
      readonly address: EnvironmentAddress;
      readonly format: FlattenedFormat;
    }
  | { readonly form: 'file'; readonly address: EnvironmentAddress; readonly path: string };

/** First segments of paths that belong to other routes, whatever follows. */
const RESERVED = new Set(['decrypt', 'encrypt', 'health', 'key', 'monitor']);
/** The last hyphen splits. */
const FLATTENED = /^(?<name>.+)-(?<profile>[^-]+)\.(?<extension>ya?ml|properties|json)$/;
/** What is meant as a file name is no profile: `/orders/prod.yml`. */
const FLATTENED_EXTENSION = /\.(?:ya?ml|properties|json)\b/;

/**
 * @param path as it came, still encoded, without the query
 * @param useDefaultLabel whether the path holds no label, so that what follows the profile is a file
 * @throws EnvironmentError PATH_MALFORMED, PATH_UNKNOWN, FILE_UNKNOWN
 */
export function parsePath(path: string, useDefaultLabel: boolean): ParsedPath {
  const segments = path.slice(1).split('/').map(decodeSegment);
  const [first = '', second = '', third = '', ...others] = segments;
  if (segments.includes('') || RESERVED.has(first)) throw pathUnknown();
  if (segments.length === 1) return flattened(first, undefined) ?? refuse();
  if (segments.length === 2) return flattened(second, first) ?? environment(first, second);
  if (useDefaultLabel) return file(addressOf(first, second, undefined), [third, ...others]);
  const address = addressOf(first, second, third);
  return others.length === 0 ? { form: 'environment', address } : file(address, others);
}

function flattened(segment: string, label: string | undefined): ParsedPath | undefined {
  const { name, profile, extension } = FLATTENED.exec(segment)?.groups ?? {};
  if (name === undefined || profile === undefined) return undefined;
  const address = addressOf(name, profile, label);
  return { form: 'flattened', address, format: formatOf(extension) };
}

function formatOf(extension: string | undefined): FlattenedFormat {
  return extension === 'properties' || extension === 'json' ? extension : 'yml';
}

function environment(name: string, profile: string): ParsedPath {
  if (FLATTENED_EXTENSION.test(profile)) throw pathUnknown();
  return { form: 'environment', address: addressOf(name, profile, undefined) };
}

function file(address: EnvironmentAddress, segments: readonly string[]): ParsedPath {
  return { form: 'file', address, path: filePath(segments) };
}

function addressOf(name: string, profile: string, label: string | undefined): EnvironmentAddress {
  const applications = applicationNames(name);
  const profiles = profileNames(profile);
  refuseManyPairs(applications, profiles);
  return {
    name: applications.join(','),
    profile,
    applications,
    profiles,
    label: label === undefined ? undefined : labelName(label),
  };
}

function refuse(): never {
  throw pathUnknown();
}

/** As of every path that is nobody's. */
export function pathUnknown(): EnvironmentError {
  return new EnvironmentError('PATH_UNKNOWN', 'there is nothing at this path');
}
