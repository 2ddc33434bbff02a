// The floor of the SSO application: bare node:http that runs the same two statements, one per request, without routes,
// checks, registry or rendering. It sends its port to the parent process, and exits with it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { randomId, sha256 } from '@tessera/crypto';
import { SESSION_OPTIONS } from '@tessera/database';
import { SLOTS, rotate, type Slot } from '../../libs/tickets/src/postgres/ring.js';
import {
  consumeAndRecordStatement,
  grantStatement,
} from '../../libs/tickets/src/postgres/statements.js';

const RING_PERIOD = 10_000;
const LIFETIME = 10_000;
const IDLE = 7_200_000;
const RESOLUTION = 60_000;
/** Without credentials, no new login demanded, maybe the first of its session. */
const FLAGS = [[false], [false], [true]];

const pool = new pg.Pool({
  connectionString: process.argv[2],
  max: 10,
  options: SESSION_OPTIONS,
});
const GRANT_TEXT = new Map(SLOTS.map((slot) => [slot, grantStatement(slot)]));
const CONSUME_TEXT = new Map(SLOTS.map((slot) => [slot, consumeAndRecordStatement(slot)]));
let current: Slot = '0';

async function issue(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const service = new URLSearchParams(body).get('service');
  return grant((request.url ?? '').slice('/v1/tickets/'.length), service, response);
}

async function grant(tgt: string, service: string | null, response: ServerResponse): Promise<void> {
  const id = `ST-${current}${randomId(22)}`;
  const { rows } = await pool.query<{ readonly verdict: string; readonly slot: number }>({
    name: `grant-${current}`,
    text: GRANT_TEXT.get(current) ?? '',
    values: [[key(id)], [key(tgt)], [service], ...FLAGS, [LIFETIME], IDLE, RESOLUTION],
  });
  const verdict = rows[0]?.verdict;
  current = SLOTS[rows[0]?.slot ?? 0] ?? '0';
  if (verdict === 'stale') return grant(tgt, service, response);
  answer(response, verdict === 'granted' ? 200 : 404, id);
}

async function validate(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URLSearchParams((request.url ?? '').split('?')[1]);
  const ticket = query.get('ticket') ?? '';
  const slot = SLOTS.find((each) => each === ticket[3]) ?? '0';
  const { rows } = await pool.query<{ readonly principal: string }>({
    name: `consume-and-record-${slot}`,
    text: CONSUME_TEXT.get(slot) ?? '',
    values: [[key(ticket)], IDLE, RESOLUTION, [ticket]],
  });
  const body = rows[0] ? `authenticationSuccess ${rows[0].principal}` : 'authenticationFailure';
  answer(response, rows[0] ? 200 : 400, body);
}

function key(id: string): string {
  return `\\x${sha256(id)}`;
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
