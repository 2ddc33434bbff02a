// The version of the product.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version in package.json. Sources and built files are at different depths below it. */
export function productVersion(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    directory = dirname(directory);
  }
  const content: unknown = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const found = typeof content === 'object' && content !== null && 'version' in content;
  return found ? String(content.version) : 'unknown';
}
