import { type ApiDescription, readApiDescription } from '@tessera/server';
import type { SsoSettings } from './settings.js';

const FILE = new URL('openapi.json', import.meta.url);

/** The OpenAPI document of the application with these settings. */
export function apiDescription({
  baseUrl,
  moduleNames,
}: Pick<SsoSettings, 'baseUrl' | 'moduleNames'>): Promise<ApiDescription> {
  return readApiDescription({ file: FILE, baseUrl, modules: moduleNames });
}
