import { readFileSync } from 'node:fs';

/** The number of file descriptors that this process may have open; known on Linux alone, elsewhere Infinity. */
export function maxOpenFiles(): number {
  if (process.platform !== 'linux') return Infinity;
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
