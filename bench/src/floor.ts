// The floor: the same two statements behind bare node:http, one statement a request, with nothing of ours around them:
// no routes, no checks, no registry, no rendering. Listens, tells its parent the port, and ends with it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { randomId, sha256 } from '@tessera/crypto';
import { SESSION_OPTIONS } from '@tessera/database';
import { SLOTS, rotate, type Slot } from '../../libs/tickets/src/postgres/ring.js';
import {
  consumeStatement,
  grantStatement,
  type ConsumedRow,
  type GrantRow,
} from '../../libs/tickets/src/postgres/statements.js';

const RING_PERIOD = 10_000;
const IDLE = 7_200_000;
const RESOLUTION = 60_000;

const pool = new pg.Pool({
  connectionString: process.argv[2],
  max: 10,
  options: SESSION_OPTIONS,
});
let current: Slot = '0';

async function issue(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const service = new URLSearchParams(body).get('service');
  const tgt = (request.url ?? '').slice('/v1/tickets/'.length);
  const id = `ST-${current}${randomId(22)}`;
  const { rows } = await pool.query<GrantRow>({
    name: `grant-${current}`,
    text: grantStatement(current),
    values: [
      [sha256(id)],
      [sha256(tgt)],
      [service],
      [false],
      [false],
      [true],
      10_000,
      IDLE,
      RESOLUTION,
    ],
  });
  current = SLOTS[rows[0]?.slot ?? 0] ?? '0';
  answer(response, rows[0]?.verdict === 'granted' ? 200 : 404, id);
}

async function validate(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URLSearchParams((request.url ?? '').split('?')[1]);
  const ticket = query.get('ticket') ?? '';
  const slot = SLOTS.find((each) => each === ticket[3]) ?? '0';
  const { rows } = await pool.query<ConsumedRow>({
    name: `consume-${slot}`,
    text: consumeStatement(slot),
    values: [[sha256(ticket)], IDLE, RESOLUTION],
  });
  const body = rows[0] ? `authenticationSuccess ${rows[0].principal}` : 'authenticationFailure';
  answer(response, rows[0] ? 200 : 400, body);
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

const server = createServer((request, response) => {
  const work = request.method === 'POST' ? issue(request, response) : validate(request, response);
  work.catch(() => answer(response, 500, 'error'));
});
setInterval(() => void rotate(pool, RING_PERIOD).catch(() => {}), 2_000).unref();
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit(0));
