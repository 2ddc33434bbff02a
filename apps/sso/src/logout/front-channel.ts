// The calls of the front channel: the logout page lets the browser make them. @see docs/login.md
import { randomId } from '@tessera/crypto';
import { logoutUrlsOf, type RegisteredService } from '@tessera/services';
import type { SessionService } from '@tessera/tickets';
import { deflatedLogoutRequest } from './logout-request.js';

const ID_LENGTH = 32;
/** The policy of the page names the origin of each, in a header that proxies accept. */
const MAX_CALLS = 100;

export interface EndedSession {
  /** The id of the principal. */
  readonly principal: string;
  readonly services: readonly SessionService[];
}

/**
 * The URLs that tell services of the end of a session: each ticket has one for each logout URL. Only for services of
 * logout type `front` that are still registered. At most 100.
 *
 * @param registrationOf the registration of a service to whose URL browsers may be sent
 */
export function frontChannelCalls(
  { principal, services }: EndedSession,
  registrationOf: (service: string) => RegisteredService | undefined,
): readonly string[] {
  const endedAt = new Date();
  const calls = services.flatMap(({ service, tickets }) => {
    const registered = registrationOf(service);
    if (registered?.logoutType !== 'front') return [];
    const urls = logoutUrlsOf(registered, service);
    return tickets.flatMap((ticket) => {
      const message = { id: `LR-${randomId(ID_LENGTH)}`, principal, ticket, endedAt };
      const request = deflatedLogoutRequest(registered, message);
      return urls.flatMap((url) => callOf(url, request));
    });
  });
  return calls.slice(0, MAX_CALLS);
}

function callOf(address: string, logoutRequest: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [];
  url.hash = '';
  // Base64 has characters that mean others in a query.
  const parameter = `logoutRequest=${encodeURIComponent(logoutRequest)}`;
  url.search = url.search === '' ? parameter : `${url.search}&${parameter}`;
  return [url.href];
}
