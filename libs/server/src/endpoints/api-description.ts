// The OpenAPI document of an application, as it runs.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** Extension of a path in the file: the optional module that has it. */
const MODULE = 'x-tessera-module';

/** An OpenAPI 3.1 document. */
export interface ApiDescription {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly [MODULE]?: string }>>;
}

export interface DescribedApplication {
  readonly baseUrl: string;
  /** The optional modules that are loaded. */
  readonly modules: readonly string[];
}

/**
 * Reads the file `openapi.yaml` of an application once, at the first call. The result describes the application as it
 * runs, without the paths of modules that are not loaded. It throws an Error for an unreadable file.
 */
export function apiDescriptionReader(
  file: URL,
): (application: DescribedApplication) => Promise<ApiDescription> {
  let complete: Promise<ApiDescription> | undefined;
  return async ({ baseUrl, modules }) => {
    complete ??= readDocument(file);
    const document = await complete;
    const paths = Object.entries(document.paths).filter(
      ([, { [MODULE]: name }]) => name === undefined || modules.includes(name),
    );
    return { ...document, servers: [{ url: baseUrl }], paths: Object.fromEntries(paths) };
  };
}

/** The file is ours, so it may have any number of aliases. */
async function readDocument(file: URL): Promise<ApiDescription> {
  return parse(await readFile(file, 'utf8'), { maxAliasCount: -1 }) as ApiDescription;
}
