// A database that answers but cannot work is as one that is away: 503, come back soon. Readiness and commands say why.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProgram } from '../../apps/cli/src/program.js';
import { http, type Reply } from '../support/http.js';
import { query } from '../support/query.js';
import { add, SETTINGS, WIKI } from '../support/service-registration.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const GOOD = { username: 'casuser', password: 'Mellon' };
const TEXT = 'Service temporarily unavailable';
const XML = `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationFailure code="INTERNAL_ERROR">The service is temporarily unavailable</cas:authenticationFailure>
</cas:serviceResponse>
`;
const JSON_BODY =
  '{"serviceResponse":{"authenticationFailure":{"code":"INTERNAL_ERROR","description":"The service is temporarily unavailable"}}}';
const WRITTEN = ['ticket_granting_ticket', 'service_ticket_0', 'registered_service'];

let sso: Sso;
let tgt: string;
let st: string;

beforeAll(async () => {
  sso = await startSso({ settings: SETTINGS });
  tgt = await sso.login();
  st = await sso.grant(tgt);
});
afterAll(() => sso.close());

/** Every write fails with this SQLSTATE: real ones need a disk that is full, or broken. */
async function failWith(sqlState: string): Promise<void> {
  const triggers = WRITTEN.map(
    (table) =>
      `create or replace trigger fails before insert or update or delete on ${table} execute function fail()`,
  );
  await query(
    sso.database.url,
    `create or replace function fail() returns trigger language plpgsql as $$
       begin raise exception 'could not write to /var/lib/data' using errcode = '${sqlState}'; end $$;
     ${triggers.join(';')}`,
  );
}

const CALLS: readonly [string, () => Promise<Reply>, string][] = [
  ['logging in', () => http('POST', sso.url, '/v1/tickets', { form: GOOD }), TEXT],
  [
    'a service ticket',
    () => http('POST', sso.url, `/v1/tickets/${tgt}`, { form: { service: APP } }),
    TEXT,
  ],
  ['logging out', () => http('DELETE', sso.url, `/v1/tickets/${tgt}`), TEXT],
  ['registering a service', () => add(sso, tgt, { form: WIKI }), TEXT],
  [
    'validation, CAS 1',
    () => http('GET', sso.url, `/validate?service=${APP}&ticket=${st}`),
    'no\n\n',
  ],
  [
    'validation, XML',
    () => http('GET', sso.url, `/p3/serviceValidate?service=${APP}&ticket=${st}`),
    XML,
  ],
  [
    'validation, JSON',
    () => http('GET', sso.url, `/serviceValidate?format=JSON&service=${APP}&ticket=${st}`),
    JSON_BODY,
  ],
];

describe.each(['53100', '53200', '58030', '25006', '53000'])('SQLSTATE %s', (sqlState) => {
  beforeAll(() => failWith(sqlState));

  test.each(CALLS)('%s is answered 503 with Retry-After', async (_, call, body) => {
    const reply = await call();
    expect(reply).toMatchObject({ status: 503, body });
    expect(reply.headers['retry-after']).toBe('2');
  });
});

test('what was refused has changed nothing', async () => {
  for (const table of WRITTEN) await query(sso.database.url, `drop trigger fails on ${table}`);
  const validation = `/p3/serviceValidate?service=${APP}&ticket=${st}`;
  expect((await http('GET', sso.url, validation)).body).toContain('authenticationSuccess');
  expect((await http('GET', sso.url, validation)).body).toContain('INVALID_TICKET');
  expect(
    await query(sso.database.url, 'select count(*)::int as n from ticket_granting_ticket'),
  ).toEqual([{ n: 1 }]);
});

test('a database that becomes read-only is not ready, says so, and is ready once it is not', async () => {
  const name = new URL(sso.database.url).pathname.slice(1);
  const setReadOnly = async (value: string): Promise<void> => {
    await query(
      sso.database.url,
      `set transaction_read_only = off; alter database ${name} set default_transaction_read_only = ${value}`,
    );
    sso.databaseProxy.cut();
  };
  const ready = (): Promise<Reply> => http('GET', sso.url, '/health/ready');
  await setReadOnly('on');
  await until('it is not ready', async () => (await ready()).body.includes('"read-only"'));
  expect((await ready()).status).toBe(503);
  const refused = await http('POST', sso.url, '/v1/tickets', { form: GOOD });
  expect(refused).toMatchObject({ status: 503, body: TEXT });
  expect(await command('user', 'add', 'ann')).toEqual({
    exitCode: 1,
    stderr: 'tessera: The database is not available: read-only.\n',
  });
  await setReadOnly('off');
  await until('it is ready', async () => (await ready()).status === 200);
});

async function command(...args: readonly string[]): Promise<unknown> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end('Mellon\n');
  const exitCode = await runProgram([...args, `--database.url=${sso.database.url}`], {
    stdin,
    stdout,
    stderr,
  });
  stderr.end();
  return { exitCode, stderr: await text(stderr) };
}
