// The answers to throttled callers, in both dialects.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../support/dialects.js';
import { http, type Reply } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const REFUSED = '{"authentication_exceptions" : [ "FailedLoginException" ]}';
const THRESHOLD = 3;
const ADDRESS_THRESHOLD = 5;
/** The price of hashes is no matter here. */
const CHEAP = '--sso.authentication.accounts.argon2.memory=8';
const ON = [
  CHEAP,
  '--sso.throttle.rest.enabled=true',
  `--sso.throttle.rest.threshold=${THRESHOLD}`,
  `--sso.throttle.rest.address-threshold=${ADDRESS_THRESHOLD}`,
];
const GOOD = { username: 'casuser', password: 'Mellon' };
const BAD = { username: 'casuser', password: 'wrong' };

const login = (sso: Sso, form: Readonly<Record<string, string>>, localAddress: string) =>
  http('POST', sso.url, '/v1/tickets', { form, localAddress });

let host = 10;
/** An address nobody has failed from. */
const freshAddress = (): string => `127.0.1.${(host += 1)}`;

describe.each(DIALECTS)('in dialect $dialect', ({ dialect, badCredentials, throttled }) => {
  let sso: Sso;
  let address: string;

  beforeAll(async () => {
    sso = await startSso({ settings: [...ON, `--sso.dialect=${dialect}`] });
  });
  afterAll(() => sso.close());
  beforeEach(() => {
    address = freshAddress();
  });

  const fail = async (times: number, form = BAD): Promise<void> => {
    for (let turn = 0; turn < times; turn += 1) {
      expect(await login(sso, form, address)).toMatchObject({
        status: badCredentials,
        body: REFUSED,
      });
    }
  };
  const expectThrottled = (reply: Reply): void => {
    expect(reply).toMatchObject({
      status: throttled,
      body: 'too many failed logins: try again later',
    });
    expect(reply.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
      'content-type': 'text/plain;charset=UTF-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  };

  test(`answers ${throttled} with Retry-After from the failure on that reaches the threshold`, async () => {
    await fail(THRESHOLD);
    expectThrottled(await login(sso, BAD, address));
  });

  test('refuses the right password too', async () => {
    await fail(THRESHOLD);
    expectThrottled(await login(sso, GOOD, address));
  });

  test('lets the same user in from another address', async () => {
    await fail(THRESHOLD);
    expect(await login(sso, GOOD, freshAddress())).toMatchObject({ status: 201 });
  });

  test('throttles an address that tries many names, for all names', async () => {
    for (let turn = 0; turn < ADDRESS_THRESHOLD; turn += 1) {
      await fail(1, { ...BAD, username: `user${turn}` });
    }
    expectThrottled(await login(sso, GOOD, address));
  });

  test('never counts a success, and lets none make up for failures', async () => {
    await fail(THRESHOLD - 1);
    for (let turn = 0; turn < 2 * ADDRESS_THRESHOLD; turn += 1) {
      expect(await login(sso, GOOD, address)).toMatchObject({ status: 201 });
    }
    await fail(1);
    expectThrottled(await login(sso, GOOD, address));
  });

  test('counts and throttles credentials that come with renew, and no other request', async () => {
    const tgt = await sso.login();
    const grant = (form: object) =>
      http('POST', sso.url, `/v1/tickets/${tgt}`, {
        form: { service: APP, ...form },
        localAddress: address,
      });
    for (let turn = 0; turn < THRESHOLD; turn += 1) {
      expect(await grant({ renew: 'true', ...BAD })).toMatchObject({ status: badCredentials });
    }
    expectThrottled(await grant({ renew: 'true', ...GOOD }));
    expect(await grant({})).toMatchObject({ status: 200 });
    expect(
      await http('GET', sso.url, `/v1/tickets/${tgt}`, { localAddress: address }),
    ).toMatchObject({ status: 200 });
  });

  test('counts nothing for a request that carries no well-formed credential, nor for a bad ticket', async () => {
    for (let turn = 0; turn < 2 * ADDRESS_THRESHOLD; turn += 1) {
      const reply = await login(sso, { username: 'casuser' }, address);
      expect(reply).toMatchObject({ status: 400, body: expect.stringContaining('missing') });
      const call = { form: { service: APP }, localAddress: address };
      expect(await http('POST', sso.url, '/v1/tickets/TGT-0', call)).toMatchObject({ status: 404 });
    }
    expect(await login(sso, GOOD, address)).toMatchObject({ status: 201 });
  });

  test('takes no notice of addresses that callers name', async () => {
    for (let turn = 0; turn < THRESHOLD; turn += 1) {
      const headers = { 'x-forwarded-for': freshAddress(), forwarded: `for=${freshAddress()}` };
      await http('POST', sso.url, '/v1/tickets', { form: BAD, headers, localAddress: address });
    }
    expectThrottled(await login(sso, GOOD, address));
  });
});

test('after the window a throttled client is accepted again, and the counts are removed', async () => {
  // The shortest window is the interval of the removal.
  const sso = await startSso({ settings: [...ON, '--sso.throttle.login.window=1s'] });
  const { dataSource } = sso.database;
  const endWindow = () =>
    dataSource.query(`update authentication_failure set expires_at = now() - interval '1 second'`);
  try {
    const address = freshAddress();
    for (let turn = 0; turn < THRESHOLD; turn += 1) await login(sso, BAD, address);
    expect(await login(sso, GOOD, address)).toMatchObject({ status: 429 });
    await endWindow();
    expect(await login(sso, GOOD, address)).toMatchObject({ status: 201 });
    await endWindow();
    await until('no count is left', async () => {
      const rows: readonly object[] = await dataSource.query('select from authentication_failure');
      return rows.length === 0;
    });
  } finally {
    await sso.close();
  }
});

test('failures over REST are not counted by default', async () => {
  const sso = await startSso({ settings: [CHEAP] });
  try {
    for (let turn = 0; turn < 30; turn += 1) {
      expect((await login(sso, BAD, '127.0.0.1')).status).toBe(400);
    }
    expect((await login(sso, GOOD, '127.0.0.1')).status).toBe(201);
    expect(await sso.database.dataSource.query('select from authentication_failure')).toEqual([]);
  } finally {
    await sso.close();
  }
});

test('while the database is unavailable, no credentials are checked', async () => {
  const sso = await startSso({ settings: ON });
  try {
    await sso.databaseProxy.set('refuse');
    expect(await login(sso, BAD, freshAddress())).toMatchObject({ status: 503 });
    expect(await login(sso, GOOD, freshAddress())).toMatchObject({ status: 503 });
    await sso.databaseProxy.set('open');
    expect(await login(sso, GOOD, freshAddress())).toMatchObject({ status: 201 });
  } finally {
    await sso.close();
  }
});
