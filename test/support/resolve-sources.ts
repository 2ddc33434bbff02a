// Module hooks for Node that resolve `./x.js` to x.ts and `@tessera/x` to its sources, for code outside the module
// system of jest: its global setup, and programs that a test starts.
import { existsSync } from 'node:fs';
import { registerHooks, type ResolveHookSync } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const LIBRARIES = join(import.meta.dirname, '../../libs');

const resolveSources: ResolveHookSync = (specifier, context, next) => {
  const source = sourceOf(specifier, context.parentURL);
  if (source === undefined || !existsSync(source)) return next(specifier, context);
  // require() takes paths, import takes URLs.
  const isImport = context.conditions.includes('import');
  return next(isImport ? pathToFileURL(source).href : source, context);
};

function sourceOf(specifier: string, parentUrl: string | undefined): string | undefined {
  const library = /^@tessera\/([^/]+)$/.exec(specifier)?.[1];
  if (library !== undefined) return join(LIBRARIES, library, 'src/index.ts');
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || parentUrl === undefined) return undefined;
  return fileURLToPath(new URL(specifier.replace(/\.js$/, '.ts'), parentUrl));
}

/** Active from the import until they are deregistered. */
/** @public Loaded by a computed path. */
export const sourceHooks = registerHooks({ resolve: resolveSources });
