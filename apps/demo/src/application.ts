// An application of the demo: its routes.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { createCasClient, isRunning, isUnavailable, proxyCallbackOf } from './cas-client.js';
import { homePage, messagePage, policyOf, signedOutPage } from './pages.js';
import { type Entry, entriesOf, fetchEntries, userOfProxyTicket } from './proxying.js';
import { Sessions, type TicketSession, type ValidatedTicket } from './sessions.js';

export interface Site {
  readonly name: string;
  /** As the browser and the server call it, without a slash at the end. */
  readonly url: string;
}

export interface ApplicationOptions {
  readonly site: Site;
  readonly other: Site;
  /** Base URL of the CAS server. */
  readonly casUrl: string;
  readonly log: (line: string) => void;
}

/** Wiki, which shows entries that it fetches from Calendar. */
export function createWiki(options: ApplicationOptions): Express {
  const { casUrl, other } = options;
  return createApplication(options, {
    isProxy: true,
    entries: (ticket) => fetchEntries(casUrl, `${other.url}/entries`, ticket),
  });
}

/** Calendar, which gives entries to its users and to Wiki. */
export function createCalendar(options: ApplicationOptions): Express {
  const { casUrl, site, other } = options;
  const app = createApplication(options, {
    isProxy: false,
    entries: ({ principal }) => entriesOf(principal.user),
  });
  const proxy = proxyCallbackOf(other.url);
  const service = `${site.url}/entries`;
  app.get('/entries', async ({ query: { ticket } }, response) => {
    const isOne = typeof ticket === 'string';
    const user = isOne && (await userOfProxyTicket(casUrl, { service, ticket, proxy }));
    if (user) response.json(entriesOf(user));
    else response.status(401).type('text/plain').send('a proxy ticket of Wiki is needed\n');
  });
  // A logout request for a proxy ticket: each serves one call, so there is no session to end.
  app.post('/entries', (_request, response) => void response.end());
  return app;
}

interface Kind {
  readonly isProxy: boolean;
  readonly entries: (ticket: ValidatedTicket) => Promise<readonly Entry[]> | readonly Entry[];
}

function createApplication(options: ApplicationOptions, { isProxy, entries }: Kind): Express {
  const { site, casUrl } = options;
  const sessions = new Sessions<TicketSession>(`${site.name.toLowerCase()}-session`);
  const app = createExpress(casUrl);
  app.get('/', async (request, response) => {
    const ticket = sessions.of(request)?.ticket;
    if (ticket?.valid) {
      const shown = await Promise.resolve(ticket).then(entries).catch(messageOf);
      response.send(homePage(options, ticket.principal, shown));
      return;
    }
    if (ticket) sessions.end(request, response);
    const wasSignedOut = 'signed-out' in request.query;
    response.send(signedOutPage(options, noticeOf(ticket !== undefined, wasSignedOut)));
  });
  app.post('/sign-out', (request, response) => {
    sessions.end(request, response);
    response.redirect(303, '/');
  });
  app.post('/sign-out-everywhere', (request, response) => {
    sessions.end(request, response);
    const service = `${site.url}/?signed-out`;
    response.redirect(303, `${casUrl}/logout?${new URLSearchParams({ service })}`);
  });
  addSignIn(app, { ...options, sessions, isProxy });
  return app;
}

/** With the headers of every page. */
export function createExpress(casUrl: string): Express {
  const policy = policyOf(casUrl);
  const app = express().disable('x-powered-by').disable('etag');
  app.use((_request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
    next();
  });
  app.get('/health/ready', (_request, response) => void response.send('ready'));
  return app;
}

export function noticeOf(wasEnded: boolean, wasSignedOut: boolean): string | undefined {
  if (wasEnded) return 'Single logout: the single sign-on server has ended your session here, too.';
  return wasSignedOut ? 'You are signed out of all applications.' : undefined;
}

/** `/sign-in` is the service of the application: the server sends tickets and logout requests there. */
function addSignIn(
  app: Express,
  options: ApplicationOptions & { sessions: Sessions<TicketSession>; isProxy: boolean },
): void {
  const { site, casUrl, sessions, log, isProxy } = options;
  const client = createCasClient({ casUrl, url: site.url, isProxy }, sessions);
  const refuse = (status: number, message: string, response: Response): void => {
    log(`${site.name}: ${message}`);
    response.status(status).send(messagePage(options, message));
  };
  app.get('/sign-in', async (request, response) => {
    if (!('ticket' in request.query) && !(await isRunning(casUrl))) {
      return refuse(503, notRunning(casUrl), response);
    }
    const ticket = await client.handle(request, response);
    const session = sessions.of(request);
    if (!ticket || !session) return;
    session.ticket = ticket;
    log(`${site.name}: ${JSON.stringify(ticket.principal.user)} signed in`);
    response.redirect('/');
  });
  app.post('/sign-in', express.urlencoded({ limit: '64kb' }), async (request, response) => {
    await client.handle(request, response);
    log(`${site.name}: the server ended a session`);
  });
  if (isProxy) {
    app.get('/proxy-callback', async (request, response) => {
      await client.handle(request, response);
    });
  }
  // Express knows handlers of errors by their four parameters.
  app.use((error: unknown, { method }: Request, response: Response, _next: NextFunction) => {
    if (isUnavailable(error)) refuse(503, notRunning(casUrl), response);
    else if (method === 'POST') refuse(400, 'The request was not understood.', response);
    else refuse(403, 'The server did not accept the ticket. Sign in again.', response);
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function notRunning(casUrl: string): string {
  return `No single sign-on server answers at ${casUrl}. Start it with npm start, and try again.`;
}
