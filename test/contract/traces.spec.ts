// The traces of the SSO application, as a fake receiver gets them.
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { Tracing } from '@tessera/tracing';
import { traceSso } from '../../apps/sso/src/tracing/sso-tracing.js';
import { http } from '../support/http.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { PORTAL, ProxyingSso } from '../support/proxying-sso.js';
import { APP, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { query } from '../support/validation.js';

const CALLER = 'b7ad6b7169203331';
const LOGIN = { username: 'casuser', password: 'Mellon' };

let receiver: OtlpReceiver;
let tracing: Tracing;
let proxying: ProxyingSso;
let sso: Sso;
const lines: Readonly<Record<string, unknown>>[] = [];

beforeAll(async () => {
  const write = (line: string): unknown => lines.push(JSON.parse(line));
  configureLogging({ application: 'sso', levels: { root: 'debug' }, write });
  receiver = await OtlpReceiver.start();
  const { url } = receiver;
  const bounds = { interval: 10 };
  tracing = new Tracing({ service: 'tessera-sso', url, headers: {}, sampleRatio: 1, bounds });
  traceSso(tracing);
  proxying = await ProxyingSso.start();
  ({ sso } = proxying);
  tracing.server = sso.application.getHttpServer() as Server;
});
beforeEach(() => {
  receiver.spans.length = 0;
  lines.length = 0;
});
afterAll(async () => {
  await proxying.close();
  await tracing.close();
  await receiver.stop();
  configureLogging({ application: 'sso', levels: { root: 'warn' } });
});

const newTraceId = (): string => randomBytes(16).toString('hex');

/** A call of a caller who traces. @returns the status, and the id of the trace */
async function call(method: string, path: string, form?: Readonly<Record<string, string>>) {
  const traceId = newTraceId();
  const headers = { traceparent: `00-${traceId}-${CALLER}-01`, accept: 'text/plain' };
  const { status, body } = await http(method, sso.url, path, { headers, ...(form && { form }) });
  return { traceId, status, body };
}

/** The spans of a trace, once that of the request has come. */
async function traceOf(traceId: string): Promise<readonly ReceivedSpan[]> {
  await until('the request is exported', () =>
    receiver.trace(traceId).some(({ kind }) => kind === 2),
  );
  return receiver.trace(traceId);
}

/** Each span as `name < name of its parent`; `caller` above the request. */
function chain(spans: readonly ReceivedSpan[]): readonly string[] {
  const nameOf = (id: string): string | undefined =>
    id === CALLER ? 'caller' : spans.find(({ spanId }) => spanId === id)?.name;
  return spans.map(({ name, parentSpanId }) => `${name} < ${nameOf(parentSpanId)}`).toSorted();
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan | undefined {
  return spans.find((span) => span.name === name);
}

describe('a traceparent', () => {
  test.each([
    ['malformed', 'x'],
    ['of zeros', `00-${'0'.repeat(32)}-${CALLER}-01`],
    ['of 8,000 characters', `00-${'a'.repeat(8_000)}`],
    ['given twice', `00-${'a'.repeat(32)}-${CALLER}-01, 00-${'b'.repeat(32)}-${CALLER}-01`],
  ])('that is %s is ignored: the login begins a trace', async (_, traceparent) => {
    const headers = { traceparent, accept: 'text/plain' };
    const { status } = await http('POST', sso.url, '/v1/tickets', { form: LOGIN, headers });
    expect(status).toBe(201);
    const [line] = lines.filter(({ msg }) => msg === 'authentication accepted');
    expect(line?.['trace.id']).toMatch(/^(?!a{32}|b{32}|0{32})[0-9a-f]{32}$/);
    const spans = await traceOf(String(line?.['trace.id']));
    expect(named(spans, 'POST /cas/v1/tickets')?.parentSpanId).toBe('');
  });

  test('that is not sampled is in the log, and nothing of it is exported', async () => {
    const traceId = newTraceId();
    const headers = { traceparent: `00-${traceId}-${CALLER}-00`, accept: 'text/plain' };
    const { status } = await http('POST', sso.url, '/v1/tickets', { form: LOGIN, headers });
    expect(status).toBe(201);
    expect(lines.some((line) => line['trace.id'] === traceId)).toBe(true);
    await traceOf((await call('GET', '/health/live')).traceId);
    expect(receiver.trace(traceId)).toEqual([]);
  });
});

describe('the trace', () => {
  test('of a login has the request, the authentication and the statements, below the caller', async () => {
    const { traceId, status } = await call('POST', '/v1/tickets', LOGIN);
    expect(status).toBe(201);
    const spans = await traceOf(traceId);
    expect(chain(spans)).toEqual([
      'POST /cas/v1/tickets < caller',
      'authenticate < POST /cas/v1/tickets',
      'create-session < POST /cas/v1/tickets',
      'select user_account < authenticate',
    ]);
    expect(named(spans, 'POST /cas/v1/tickets')).toMatchObject({
      service: 'tessera-sso',
      kind: 2,
      status: 0,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/cas/v1/tickets',
        'http.response.status_code': 201,
        'url.path': '/cas/v1/tickets',
        'url.scheme': 'http',
        'tessera.ticket.granted': 'TGT',
      },
    });
    expect(named(spans, 'authenticate')).toMatchObject({
      kind: 1,
      attributes: {
        'tessera.login.entry_point': 'rest',
        'tessera.login.credential_type': 'UsernamePasswordCredential',
        'tessera.login.outcome': 'accepted',
        'tessera.login.handler': 'static',
      },
    });
    expect(named(spans, 'create-session')).toMatchObject({
      kind: 3,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.summary': 'create-session',
      },
    });
    const [line] = lines.filter(({ msg }) => msg === 'authentication accepted');
    expect(line).toMatchObject({
      'trace.id': traceId,
      'span.id': named(spans, 'authenticate')?.spanId,
    });
  });

  test('of a refused login has its outcome, and the statements of the handlers', async () => {
    const { traceId, status } = await call('POST', '/v1/tickets', { ...LOGIN, password: 'x' });
    expect(status).toBe(400);
    const spans = await traceOf(traceId);
    expect(named(spans, 'authenticate')?.attributes).toMatchObject({
      'tessera.login.outcome': 'refused',
    });
    expect(chain(spans)).toContain('select user_account < authenticate');
    expect(spans.map((span) => span.status)).not.toContain(2);
  });

  test('of a ticket has no id of one in its paths, and what became of it', async () => {
    const tgt = await sso.login();
    const granted = await call('POST', `/v1/tickets/${tgt}`, { service: APP });
    const validation = `/p3/serviceValidate${query({ service: APP, ticket: granted.body })}`;
    const validated = await call('GET', validation);
    const refused = await call('GET', validation);
    const [grant, validate, refuse] = await Promise.all(
      [granted, validated, refused].map(({ traceId }) => traceOf(traceId)),
    );
    expect(chain(grant ?? [])).toEqual([
      'POST /cas/v1/tickets/:tgt < caller',
      'grant < POST /cas/v1/tickets/:tgt',
    ]);
    expect(grant?.at(-1)?.attributes).toMatchObject({
      'url.path': '/cas/v1/tickets/:tgt',
      'tessera.ticket.granted': 'ST',
    });
    expect(chain(validate ?? [])).toEqual([
      'GET /cas/p3/serviceValidate < caller',
      'consume < GET /cas/p3/serviceValidate',
    ]);
    expect(validate?.at(-1)?.attributes).toMatchObject({ 'tessera.ticket.validated': 'ST' });
    expect(refuse?.at(-1)?.attributes).toMatchObject({
      'tessera.ticket.refused': 'INVALID_TICKET',
    });
    for (const ticket of [tgt, granted.body]) {
      expect(receiver.bodies.join()).not.toContain(ticket.slice(4));
    }
  });

  test('of an unknown path or an unusual method has names of few values', async () => {
    const unknown = await call('GET', '/nothing?password=Mellon');
    const unusual = await call('PROPFIND', '/login');
    expect(
      (await traceOf(unknown.traceId)).map(({ name, attributes }) => [name, attributes]),
    ).toEqual([['GET', expect.objectContaining({ 'url.path': '/cas/nothing' })]]);
    expect(
      (await traceOf(unusual.traceId)).map(({ name, attributes }) => [name, attributes]),
    ).toEqual([['HTTP /cas/login', expect.objectContaining({ 'http.request.method': '_OTHER' })]]);
    expect(receiver.bodies.join()).not.toContain('Mellon');
  });

  test('of calls to a service has their addresses, and the calls have no header of a trace', async () => {
    const ticket = await proxying.ticketFor(PORTAL);
    proxying.callbacks.requests.length = 0;
    const pgtUrl = `${proxying.callbacks.url}/portal`;
    const { traceId, status } = await call(
      'GET',
      `/p3/serviceValidate${query({ service: PORTAL, ticket, pgtUrl })}`,
    );
    expect(status).toBe(200);
    const calls = (await traceOf(traceId)).filter(({ name }) => name === 'GET');
    const { port } = new URL(pgtUrl);
    const attributes = {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'url.full': pgtUrl,
    };
    expect(calls.map((span) => [span.kind, span.attributes])).toEqual([
      [3, attributes],
      [3, attributes],
    ]);
    const { pgt, pgtIou } = proxying.delivered();
    for (const id of [pgt, pgtIou]) expect(receiver.bodies.join()).not.toContain(id.slice(-20));
    for (const { headers } of proxying.callbacks.requests) {
      expect(Object.keys(headers).toSorted()).toEqual(['connection', 'host']);
    }
  });

  test('of a request without a database has the error of the statement, without its text', async () => {
    const tgt = await sso.login();
    await sso.databaseProxy.set('refuse');
    const { traceId, status } = await call('POST', `/v1/tickets/${tgt}`, { service: APP });
    await sso.databaseProxy.set('open');
    expect(status).toBe(503);
    const spans = await traceOf(traceId);
    expect(named(spans, 'grant')).toMatchObject({
      status: 2,
      attributes: { 'error.type': expect.stringMatching(/^[A-Z_]+$|^Error$/) },
    });
    expect(named(spans, 'POST /cas/v1/tickets/:tgt')).toMatchObject({
      status: 2,
      attributes: { 'error.type': '503', 'http.response.status_code': 503 },
    });
  });
});
