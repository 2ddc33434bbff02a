import { type ApiDescription, apiDescriptionReader } from '@tessera/server';

const read = apiDescriptionReader(new URL('openapi.yaml', import.meta.url));

/** The OpenAPI document of the application. @param baseUrl the address that it listens on */
export function apiDescription(baseUrl: string): Promise<ApiDescription> {
  return read({ baseUrl, modules: [] });
}
