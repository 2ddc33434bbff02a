import { type ApiDescription, readApiDescription } from '@tessera/server';

const FILE = new URL('openapi.json', import.meta.url);

/** The OpenAPI document of the application. @param baseUrl the address that it listens on */
export function apiDescription(baseUrl: string): Promise<ApiDescription> {
  return readApiDescription({ file: FILE, baseUrl, modules: [] });
}
