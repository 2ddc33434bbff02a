// Calendar's entries, and how Wiki fetches them on behalf of its user. The CAS client keeps the proxy-granting ticket;
// it neither gets a proxy ticket for one call, nor tells which proxies a ticket came through.
import type { ValidatedTicket } from './sessions.js';

const TIMEOUT_MS = 5_000;

export interface Entry {
  readonly time: string;
  readonly title: string;
}

interface Validation {
  readonly serviceResponse: {
    readonly authenticationSuccess?: {
      readonly user: string;
      readonly proxies?: readonly string[];
    };
  };
}

export function entriesOf(user: string): readonly Entry[] {
  return [
    { time: '09:30', title: 'Stand-up' },
    { time: '11:00', title: 'Review of the access rules' },
    { time: '15:00', title: `Coffee with ${user}` },
  ];
}

/** Gets a proxy ticket, and calls the service with it. @throws Error with the reason */
export async function fetchEntries(
  casUrl: string,
  service: string,
  { pgt }: ValidatedTicket,
): Promise<readonly Entry[]> {
  const query = new URLSearchParams({ pgt: pgt ?? '', targetService: service });
  const answer = await get(`${casUrl}/proxy?${query}`);
  const ticket = /<cas:proxyTicket>([\w.-]+)<\/cas:proxyTicket>/.exec(await answer.text())?.[1];
  if (ticket === undefined) throw new Error('The server gave no proxy ticket.');
  const entries = await get(`${service}?${new URLSearchParams({ ticket })}`);
  if (!entries.ok) throw new Error(`The application answered with status ${entries.status}.`);
  return (await entries.json()) as readonly Entry[];
}

/** The user of a proxy ticket; undefined if it is refused, or did not come from this proxy directly. */
export async function userOfProxyTicket(
  casUrl: string,
  { service, ticket, proxy }: { service: string; ticket: string; proxy: string },
): Promise<string | undefined> {
  const query = new URLSearchParams({ service, ticket, format: 'JSON' });
  const answer = await get(`${casUrl}/p3/proxyValidate?${query}`);
  if (answer.status >= 500) throw new Error(`Validation answered with status ${answer.status}.`);
  const { authenticationSuccess } = ((await answer.json()) as Validation).serviceResponse;
  const { user, proxies = [] } = authenticationSuccess ?? {};
  return proxies.length === 1 && proxies[0] === proxy ? user : undefined;
}

function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
}
