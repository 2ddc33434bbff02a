// Board, an application with an OpenID Connect client: its routes.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type ApplicationOptions, createExpress, notRunning, noticeOf } from './application.js';
import { isRunning } from './cas-client.js';
import { OidcClient, type PendingSignIn, type SignedInUser } from './oidc-client.js';
import { boardPage, messagePage, signedOutPage } from './pages.js';
import { Sessions } from './sessions.js';

interface BoardSession {
  readonly user: SignedInUser;
  /** The server has ended it. */
  isOver: boolean;
}

export function createBoard(options: ApplicationOptions): Express {
  const { site, casUrl } = options;
  const client = new OidcClient(`${casUrl}/oidc`, site.url);
  const sessions = new Sessions<BoardSession>('board-session');
  const app = createExpress(casUrl);
  app.get('/', (request, response) => {
    const session = sessions.of(request);
    if (session && !session.isOver) {
      response.send(boardPage(options, session.user.claims));
      return;
    }
    if (session) sessions.end(request, response);
    const notice = noticeOf(session !== undefined, 'signed-out' in request.query);
    response.send(signedOutPage(options, notice));
  });
  app.get('/signed-out', (_request, response) => response.redirect('/?signed-out'));
  app.post('/sign-out', (request, response) => {
    sessions.end(request, response);
    response.redirect(303, '/');
  });
  app.post('/sign-out-everywhere', async (request, response) => {
    const idToken = sessions.of(request)?.user.idToken;
    sessions.end(request, response);
    response.redirect(303, idToken === undefined ? '/' : await client.endSessionUrl(idToken));
  });
  addBackChannel(app, options, { client, sessions });
  addSignIn(app, options, { client, sessions });
  return app;
}

interface Parts {
  readonly client: OidcClient;
  readonly sessions: Sessions<BoardSession>;
}

/** Takes the logout tokens of the server. */
function addBackChannel(
  app: Express,
  { site, log }: ApplicationOptions,
  { client, sessions }: Parts,
): void {
  const form = express.urlencoded({ limit: '64kb' });
  app.post('/backchannel-logout', form, async (request, response) => {
    const { logout_token: token } = (request.body ?? {}) as { readonly logout_token?: unknown };
    const sid = await client.endedSession(String(token)).catch(() => undefined);
    if (sid === undefined) {
      response.status(400).json({ error: 'invalid_request' });
      return;
    }
    sessions.changeAll((session) => {
      if (session.user.sid === sid) session.isOver = true;
    });
    log(`${site.name}: the server ended a session`);
    response.status(200).end();
  });
}

function addSignIn(app: Express, options: ApplicationOptions, { client, sessions }: Parts): void {
  const { site, casUrl, log } = options;
  const requests = new Sessions<PendingSignIn>('board-request');
  const refuse = (status: number, message: string, response: Response): void => {
    log(`${site.name}: ${message}`);
    response.status(status).send(messagePage(options, message));
  };
  app.get('/sign-in', async (_request, response) => {
    const { address, pending } = await client.begin();
    requests.start(response, pending);
    response.redirect(address);
  });
  app.get('/callback', async (request, response) => {
    const pending = requests.of(request);
    if (pending === undefined) return refuse(403, 'This sign-in was not started here.', response);
    requests.end(request, response);
    const user = await client.finish(request.originalUrl, pending);
    sessions.start(response, { user, isOver: false });
    log(`${site.name}: ${JSON.stringify(user.claims.sub)} signed in`);
    response.redirect('/');
  });
  // Express knows handlers of errors by their four parameters.
  app.use(async (_error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const isThere = await isRunning(casUrl);
    const message = isThere ? 'The server refused the sign-in. Try again.' : notRunning(casUrl);
    refuse(isThere ? 403 : 503, message, response);
  });
}
