// Parses the path and the query of a request for an environment, one of its flattened forms, or a file.
import type { IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Form, queryText } from '@tessera/server';
import type { EnvironmentQuery } from '../backends/environment-backend.js';
import {
  applicationNames,
  checkPairCount,
  decodeSegment,
  filePath,
  labelName,
  profileNames,
} from './path-names.js';

export type FlattenedFormat = 'yml' | 'properties' | 'json';

/** The environment of a request, with the names as the response repeats them. */
export interface EnvironmentAddress extends EnvironmentQuery {
  /** `orders` or `orders,billing`. */
  readonly name: string;
  /** `prod` or `dev,prod`. */
  readonly profile: string;
}

export type ParsedPath =
  | { readonly form: 'environment'; readonly address: EnvironmentAddress }
  | {
      readonly form: 'flattened';
      readonly address: EnvironmentAddress;
      readonly format: FlattenedFormat;
    }
  | { readonly form: 'file'; readonly address: EnvironmentAddress; readonly path: string };

export interface EnvironmentRequest {
  readonly target: ParsedPath;
  readonly resolvesPlaceholders: boolean;
  /** What is read, for the audit trail: `orders/prod`, `orders/prod/main/nginx.conf`. */
  readonly subject: string;
}

/** Parsed requests are cached, because clients repeat them. The maximum size in bytes, by estimate. */
const CACHE_SIZE = 1024 * 1024;
const BYTES_PER_REQUEST = 500;
/** First segments of paths that belong to other routes. */
const RESERVED_SEGMENTS = new Set(['decrypt', 'encrypt', 'health', 'key', 'monitor']);
/** Other methods than POST are refused at this path; another path of `actuator` is an environment. */
const REFRESH = /^\/actuator\/refresh\/?$/i;
/** The last hyphen separates name and profile. */
const FLATTENED = /^(?<name>.+)-(?<profile>[^-]+)\.(?<extension>ya?ml|properties|json)$/;
/** A profile must not look like a file name: `/orders/prod.yml`. */
const FLATTENED_EXTENSION = /\.(?:ya?ml|properties|json)\b/;

const cache = new LRUCache<string, EnvironmentRequest>({
  maxSize: CACHE_SIZE,
  sizeCalculation: (_request, url) => BYTES_PER_REQUEST + 4 * url.length,
});

/** @throws EnvironmentError, RequestError MALFORMED_REQUEST for a malformed query */
export function readEnvironmentRequest(request: IncomingMessage): EnvironmentRequest {
  const { url = '/' } = request;
  const cached = cache.get(url);
  if (cached) return cached;
  const parsed = parseUrl(url, queryText(request));
  cache.set(url, parsed);
  return parsed;
}

function parseUrl(url: string, query: string): EnvironmentRequest {
  const [path = ''] = url.split('?', 1);
  const parameters = Form.parse(query);
  const target = parsePath(path, parameters.has('useDefaultLabel'));
  return {
    target,
    resolvesPlaceholders: parameters.one('resolvePlaceholders') !== 'false',
    subject: subjectOf(target),
  };
}

/** As in the path of a URL, without an extension. A file of the default label has an empty one: `orders/prod//nginx.conf`. */
function subjectOf(target: ParsedPath): string {
  const { name, profile, label } = target.address;
  const parts = [name, profile, ...(label === undefined ? [] : [label])];
  const address = parts.map((part) => part.replaceAll('/', '(_)')).join('/');
  if (target.form !== 'file') return address;
  return `${address}${label === undefined ? '/' : ''}/${target.path}`;
}

/**
 * @param path still percent-encoded, without the query
 * @param useDefaultLabel whether the path has no label: the segments after the profile are then a file
 * @throws EnvironmentError PATH_MALFORMED, FILE_UNKNOWN; NotFoundException for any other path, which may be that of another route
 */
export function parsePath(path: string, useDefaultLabel: boolean): ParsedPath {
  const segments = path.slice(1).split('/').map(decodeSegment);
  const [first = '', second = '', third = '', ...others] = segments;
  const isOfOtherRoute = RESERVED_SEGMENTS.has(first) || REFRESH.test(path);
  if (isOfOtherRoute || segments.includes('')) throw new NotFoundException();
  if (segments.length === 1) {
    const parsed = flattened(first, undefined);
    if (parsed === undefined) throw new NotFoundException();
    return parsed;
  }
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
  if (FLATTENED_EXTENSION.test(profile)) throw new NotFoundException();
  return { form: 'environment', address: addressOf(name, profile, undefined) };
}

function file(address: EnvironmentAddress, segments: readonly string[]): ParsedPath {
  return { form: 'file', address, path: filePath(segments) };
}

function addressOf(name: string, profile: string, label: string | undefined): EnvironmentAddress {
  const applications = applicationNames(name);
  const profiles = profileNames(profile);
  checkPairCount(applications, profiles);
  return {
    name: applications.join(','),
    profile,
    applications,
    profiles,
    label: label === undefined ? undefined : labelName(label),
  };
}
