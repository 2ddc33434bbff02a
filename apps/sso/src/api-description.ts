import { type ApiDescription, apiDescriptionReader } from '@tessera/server';
import type { SsoSettings } from './settings/sso-settings.js';

const read = apiDescriptionReader(new URL('openapi.yaml', import.meta.url));

/** The OpenAPI document of the application with these settings. */
export function apiDescription({
  baseUrl,
  moduleNames,
}: Pick<SsoSettings, 'baseUrl' | 'moduleNames'>): Promise<ApiDescription> {
  return read({ baseUrl, modules: moduleNames });
}
