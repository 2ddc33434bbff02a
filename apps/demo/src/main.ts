// `npm run demo`: Wiki on port 9000, Calendar on port 9001 and Board on port 9002, with their users from the SSO application.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Express } from 'express';
import { createBoard } from './board.js';
import { createCalendar, createWiki, notRunning, type Site } from './application.js';
import { isRunning } from './cas-client.js';

const env = process.env;
const casUrl = urlIn('CAS_URL', 'http://localhost:8080/cas');
const wiki = { name: 'Wiki', url: urlIn('WIKI_URL', 'http://localhost:9000') };
const calendar = { name: 'Calendar', url: urlIn('CALENDAR_URL', 'http://localhost:9001') };
const board = { name: 'Board', url: urlIn('BOARD_URL', 'http://localhost:9002') };
const options = { casUrl, log: (line: string) => console.log(line) };

const servers = [
  await listen(wiki, createWiki({ ...options, site: wiki, other: calendar })),
  await listen(calendar, createCalendar({ ...options, site: calendar, other: wiki })),
  await listen(board, createBoard({ ...options, site: board, other: wiki })),
];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
console.log(`
The demo is running: three applications without a login form of their own.
  Wiki      ${wiki.url}
  Calendar  ${calendar.url}
  Board     ${board.url}, which speaks OpenID Connect

1. Open Wiki, and sign in as casuser with the password Mellon.
2. Press "Open Calendar", or sign in to Board: you are signed in there too, without a form.
3. Press "Sign out everywhere", and go back to the others: their sessions have ended, too.

Ctrl-C stops them.
`);
if (!(await isRunning(casUrl))) console.error(notRunning(casUrl));

async function listen({ url }: Site, app: Express): Promise<Server> {
  const { port, protocol } = new URL(url);
  const server = createServer(app).listen(
    Number(port || (protocol === 'https:' ? 443 : 80)),
    env['DEMO_HOST'] ?? '127.0.0.1',
  );
  await once(server, 'listening').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    fail(`port ${port} is in use: end the program that listens there, or choose other addresses`);
  });
  return server;
}

/** The http URL in a variable, without a slash at its end. */
function urlIn(variable: string, preset: string): string {
  const url = URL.parse(env[variable] ?? preset);
  if (url === null || !/^https?:$/.test(url.protocol)) fail(`${variable} is not an http URL`);
  return url.href.replace(/\/+$/, '');
}

function fail(message: string): never {
  console.error(`demo: ${message}`);
  console.error(
    '      (variables CAS_URL, WIKI_URL, CALENDAR_URL, BOARD_URL; by default ports 9000 to 9002)',
  );
  process.exit(1);
}

/** The CAS client has a timer, for which the process would not end by itself. */
function stop(): void {
  for (const server of servers) server.close().closeAllConnections();
  process.exit(0);
}
