// Signs users in and out with http-cas-client, and tells what went wrong.
import type { Request, Response } from 'express';
import casClient from 'http-cas-client';
import type { Sessions, TicketSession, ValidatedTicket } from './sessions.js';

const PROXY_CALLBACK = '/proxy-callback';
const TIMEOUT_MS = 5_000;

export interface CasClient {
  /**
   * Answers a request by a redirect to the server, by the start of a session, or as the receiver of a logout request or
   * of a proxy-granting ticket.
   *
   * @returns the ticket of a signed-in user, whose request is not answered yet
   */
  handle(request: Request, response: Response): Promise<ValidatedTicket | undefined>;
}

/** @param isProxy whether the application asks for proxy-granting tickets */
export function createCasClient(
  { casUrl, url, isProxy }: { casUrl: string; url: string; isProxy: boolean },
  sessions: Sessions<TicketSession>,
): CasClient {
  const proxy = { callbackUrl: proxyCallbackOf(url), receptorUrl: PROXY_CALLBACK };
  const handler = casClient({
    casServerUrlPrefix: casUrl,
    serverName: url,
    // By default the client lets requests pass whose URL has ".css" or the like anywhere.
    client: { ignore: [], ...(isProxy && { proxy }) },
  });
  return {
    async handle(request, response) {
      const isSignedIn = await handler(request, response, {
        getTicket: () => sessions.of(request)?.ticketId ?? '',
        ticketCreated: (id) => sessions.start(response, { ticketId: String(id) }),
        ticketDestroyed: () => sessions.end(request, response),
        bodyParser: () => (request.body ?? {}) as object,
      });
      if (isSignedIn) return (request as Request & { ticket?: ValidatedTicket }).ticket;
      if (!response.writableEnded) response.end();
      return undefined;
    },
  };
}

/** Where the server delivers proxy-granting tickets, and by which it names the application as a proxy. */
export function proxyCallbackOf(url: string): string {
  return `${url}${PROXY_CALLBACK}`;
}

/** Whether the server shows its login page. */
export async function isRunning(casUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(`${casUrl}/login`, { signal, redirect: 'manual' }).then(
    ({ status }) => status < 400,
    () => false,
  );
}

/** Whether the client got no answer from the server, or an error of the server itself. */
export function isUnavailable(error: unknown): boolean {
  const { isAxiosError, response } = error as {
    isAxiosError?: boolean;
    response?: { status: number };
  };
  return isAxiosError === true && (response === undefined || response.status >= 500);
}
