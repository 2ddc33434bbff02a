// Estimates the memory that properties take, for caches with a limit in bytes.
import type { PropertySource } from '../backends/environment-backend.js';

/** In bytes, without the characters of key and value: the property, its origin, its map entry and its strings. */
const PROPERTY_OVERHEAD = 200;
const SOURCE_OVERHEAD = 400;

/** In bytes, at least 1. */
export function estimateSize(sources: readonly PropertySource[]): number {
  return sources.reduce((size, source) => size + estimateSourceSize(source), SOURCE_OVERHEAD);
}

/** In bytes. */
export function estimateSourceSize({ name, properties }: PropertySource): number {
  let size = SOURCE_OVERHEAD + name.length;
  for (const [key, { value }] of properties) {
    size += PROPERTY_OVERHEAD + key.length + (typeof value === 'string' ? value.length : 0);
  }
  return size;
}
