// Owns estimating what properties cost to keep in memory, so that caches can be bounded by bytes.
import type { PropertySource } from '../backends/environment-backend.js';

/** Of a property: itself, its place in the file and in a map, its texts beside their characters. */
const PROPERTY = 200;
const SOURCE = 400;

/** In bytes, at least 1. */
export function estimateSize(sources: readonly PropertySource[]): number {
  return sources.reduce((weight, source) => weight + estimateSourceSize(source), SOURCE);
}

/** In bytes. */
export function estimateSourceSize({ name, properties }: PropertySource): number {
  let weight = SOURCE + name.length;
  for (const [key, { value }] of properties) {
    weight += PROPERTY + key.length + (typeof value === 'string' ? value.length : 0);
  }
  return weight;
}
