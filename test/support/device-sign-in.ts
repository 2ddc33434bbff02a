// What a device and its user do to sign the user in. @see RFC 8628
import * as client from 'openid-client';
import type { NewClient } from '@tessera/services';
import type { CookieBrowser } from './cookie-browser.js';
import type { Reply } from './http.js';
import { BASE_URL } from './sso.js';

export const DEVICE_PAGE = `${BASE_URL}/oidc/device`;
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const DEVICE_CLIENT: NewClient = {
  redirectUris: [],
  grantTypes: [DEVICE_GRANT, 'refresh_token'],
  scopes: ['openid', 'profile', 'offline_access'],
};

/** What the device gets now. */
export function poll(
  config: client.Configuration,
  { device_code: code }: Pick<client.DeviceAuthorizationResponse, 'device_code'>,
): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers> {
  return client.genericGrantRequest(config, DEVICE_GRANT, { device_code: code });
}

/** The text that the form of the page sends back. */
export function secretIn({ body }: Reply): string {
  return /name="xsrf" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '';
}

/** Sends the form of the page, as the user does. */
export async function submitCode(
  browser: CookieBrowser,
  fields: Readonly<Record<string, string>>,
): Promise<Reply> {
  const page = await browser.open(DEVICE_PAGE);
  return browser.send('POST', DEVICE_PAGE, { xsrf: secretIn(page), ...fields });
}

/** @returns the page that is there in the end */
export async function allowCode(browser: CookieBrowser, userCode: string): Promise<Reply> {
  const reply = await submitCode(browser, { user_code: userCode, confirm: 'yes' });
  const { location } = reply.headers;
  return location === undefined ? reply : browser.open(new URL(location, BASE_URL).href);
}
