// The OpenAPI document of an application, as it runs.
import { readFile } from 'node:fs/promises';

/** Extension of a route in the file: the optional module that has it. */
const MODULE = 'x-tessera-module';

type Operations = Readonly<Record<string, { readonly [MODULE]?: string }>>;

/** An OpenAPI 3.1 document; `npm run docs:openapi` writes it. */
export interface ApiDescription {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Operations>>;
}

export interface DescribedApplication {
  /** Its file `openapi.json`, which describes the routes of all modules. */
  readonly file: URL;
  readonly baseUrl: string;
  /** The optional modules that are loaded. */
  readonly modules: readonly string[];
}

/** Leaves out the routes of modules that are not loaded. @throws Error for an unreadable file */
export async function readApiDescription({
  file,
  baseUrl,
  modules,
}: DescribedApplication): Promise<ApiDescription> {
  const complete = JSON.parse(await readFile(file, 'utf8')) as ApiDescription;
  const paths = Object.entries(complete.paths).flatMap(([path, operations]) => {
    const loaded = Object.entries(operations).filter(
      ([, { [MODULE]: name }]) => name === undefined || modules.includes(name),
    );
    return loaded.length === 0 ? [] : [[path, Object.fromEntries(loaded)] as const];
  });
  return { ...complete, servers: [{ url: baseUrl }], paths: Object.fromEntries(paths) };
}
