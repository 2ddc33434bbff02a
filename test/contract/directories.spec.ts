// Users of two directories over REST: which of them accepts, what is told while one is away, and what a reload changes.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import { http, type Reply } from '../support/http.js';
import { PASSWORD, person } from '../support/ldap-people.js';
import { query } from '../support/query.js';
import { add, WIKI } from '../support/service-registration.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { LdapProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { validate } from '../support/validation.js';

type Values = Readonly<Record<string, unknown>>;

const KEY = 'sso.authentication.ldap';
const STUDENT_PASSWORD = 'of the student';
const THRESHOLD = 4;
const ARGON2 = { memory: 8, iterations: 1, parallelism: 1 };
const CHEAP_HASHES = Object.entries(ARGON2).map(
  ([name, value]) => `--sso.authentication.accounts.argon2.${name}=${value}`,
);

let staff: Slapd;
let students: Slapd;
let sso: Sso;
let lines: string[];

const below = (name: string, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${KEY}.${name}.${key}`, value]),
  );

const directory = (name: string, { url }: Slapd): Values =>
  below(name, {
    urls: url,
    'base-dn': BASE,
    'bind-dn': SERVICE_ACCOUNT.dn,
    'bind-password': SERVICE_ACCOUNT.password,
    attributes: { mail: 'mail', departmentNumber: 'memberOf' },
  });

const both = (): Values => ({
  [`${KEY}.directories`]: ['staff', 'students'],
  ...directory('staff', staff),
  ...directory('students', students),
});

const login = (username: string, password = PASSWORD): Promise<Reply> =>
  http('POST', sso.url, '/v1/tickets', {
    form: { username, password },
    headers: { accept: 'text/plain' },
  });

const statusOf = async (username: string, password?: string): Promise<number> =>
  (await login(username, password)).status;

async function attributesOf(tgt: string): Promise<Values> {
  const parameters = { service: APP, ticket: await sso.grant(tgt), format: 'json' };
  const { body } = await validate(sso, '/p3/serviceValidate', parameters);
  const { serviceResponse } = JSON.parse(body) as {
    serviceResponse: { authenticationSuccess: { user: string; attributes: Values } };
  };
  const { user, attributes } = serviceResponse.authenticationSuccess;
  return { user, ...attributes };
}

const logged = () => lines.map((line): unknown => JSON.parse(line));

describeWithSlapd('two directories', () => {
  beforeAll(async () => {
    [staff, students] = await Promise.all([
      Slapd.start({
        entries: [
          person('alice', { mail: 'alice@staff.example.org' }),
          person('jane', { departmentNumber: 'admin' }),
        ],
      }),
      Slapd.start({
        entries: [
          person('bob'),
          person('dora'),
          person('jane', { userPassword: STUDENT_PASSWORD }),
          person('carol', { mail: 'carol@students.example.org' }),
        ],
      }),
    ]);
    sso = await startSso({
      settings: [
        '--sso.modules=rest,rest-services',
        '--sso.authentication.handlers=accounts,ldap',
        '--sso.rest.services.role-name=memberOf',
        '--sso.rest.services.role-value=admin',
        '--sso.throttle.rest.enabled=true',
        `--sso.throttle.rest.threshold=${THRESHOLD}`,
        '--sso.throttle.rest.address-threshold=1000',
        ...CHEAP_HASHES,
      ],
      files: { 'sso.yml': JSON.stringify(both()) },
    });
    const accounts = AccountStore.of(sso.database.dataSource);
    const passwordHash = await new PasswordHashing(ARGON2).hash(PASSWORD);
    for (const name of ['carol', 'dave']) await accounts.add({ name, passwordHash });
  });
  afterAll(async () => {
    await sso.close();
    await Promise.all([staff.remove(), students.remove()]);
  });
  beforeEach(() => {
    lines = [];
    configureLogging({ application: 'sso', levels: {}, write: (line) => void lines.push(line) });
  });

  test.each([
    ['alice', PASSWORD, 'staff'],
    ['bob', PASSWORD, 'students'],
    ['JANE', PASSWORD, 'staff'],
    ['jane', STUDENT_PASSWORD, 'students'],
  ])('accept %s by %j, and say which of them did', async (username, password, handler) => {
    const { body: tgt, status } = await login(username, password);
    expect(status).toBe(201);
    const user = username.toLowerCase();
    expect(await attributesOf(tgt)).toMatchObject({
      user,
      successfulAuthenticationHandlers: [handler],
      authenticationMethod: [handler],
    });
    expect(logged()).toContainEqual(
      expect.objectContaining({ outcome: 'accepted', handler, principal: user }),
    );
    await until('the login is in the audit trail', async () => {
      const [last] = await query(
        sso.database.url,
        `select principal, details->>'handler' as handler from audit_event
         where action = 'LOGIN' and outcome = 'success' order by id desc limit 1`,
      );
      return isDeepStrictEqual({ ...(last as object) }, { principal: user, handler });
    });
  });

  test.each([
    ['a wrong password of a user of both', 'jane', 'wrong', 'wrong password'],
    ['a wrong password of a user of one', 'bob', 'wrong', 'unknown user, wrong password'],
    ['an unknown user', 'nobody', PASSWORD, 'unknown user'],
    ['a pattern', '*', PASSWORD, 'unknown user'],
    ['a filter', ')(uid=*', PASSWORD, 'unknown user'],
    ['an escape', '\\61lice', PASSWORD, 'unknown user'],
    ['a name of objects', '__proto__', PASSWORD, 'unknown user'],
  ])('refuse %s', async (_what, username, password, ofBoth) => {
    expect(await login(username, password)).toMatchObject({
      status: 400,
      body: '{"authentication_exceptions" : [ "FailedLoginException" ]}',
    });
    const [ofStaff, ofStudents = ofStaff] = ofBoth.split(', ');
    const reasons = { accounts: 'unknown user', staff: ofStaff, students: ofStudents };
    expect(logged()).toContainEqual(expect.objectContaining({ outcome: 'refused', reasons }));
  });

  test('count one failure for a login that both refuse', async () => {
    for (let count = 0; count < THRESHOLD; count += 1) expect(await statusOf('eve')).toBe(400);
    expect(await statusOf('eve')).toBe(429);
  });

  test('keep the other users while one is away, and leave the rest undecided', async () => {
    await staff.stop();
    expect(await statusOf('bob')).toBe(201);
    expect(await statusOf('jane', STUDENT_PASSWORD)).toBe(201);
    for (let count = 0; count <= THRESHOLD; count += 1) {
      const { status, body, headers } = await login('alice', 'wrong');
      expect({ status, body }).toEqual({ status: 503, body: 'Service temporarily unavailable' });
      expect(headers['retry-after']).toBe('2');
    }
    await staff.restart();
    expect(await statusOf('alice')).toBe(201);
  });

  test('count a wrong password that one has found, also while the other is away', async () => {
    await staff.stop();
    for (let count = 0; count < THRESHOLD; count += 1) {
      expect(await statusOf('dora', 'wrong')).toBe(503);
    }
    expect(await statusOf('dora', 'wrong')).toBe(429);
    await staff.restart();
  });

  test('are asked in another order while the first one hangs, until it answers', async () => {
    const proxy = await LdapProxy.start(staff.url, 'hang');
    const limits = { urls: proxy.url, 'connect-timeout': '200ms', timeout: '400ms' };
    await sso.reconfigure({ ...both(), ...below('staff', limits) });
    expect(await statusOf('bob')).toBe(201);
    const asked = proxy.accepted;
    expect(await statusOf('bob')).toBe(201);
    expect(proxy.accepted).toBe(asked);
    await proxy.set('open');
    expect(await statusOf('alice')).toBe(201);
    await sso.reconfigure(both());
    await proxy.close();
  });

  test('are asked for the names of their patterns only', async () => {
    const byMail = {
      filter: '(|(uid={username})(mail={username}))',
      'id-attribute': 'uid',
      'name-pattern': String.raw`.+@staff\.example\.org`,
    };
    await sso.reconfigure({ ...both(), ...below('staff', byMail) });
    const { mark } = staff;
    expect(await statusOf('alice')).toBe(400);
    expect(staff.logSince(mark)).not.toContain('SRCH');
    const reasons = { accounts: 'unknown user', students: 'unknown user' };
    expect(logged()).toContainEqual(expect.objectContaining({ outcome: 'refused', reasons }));
    const { body: tgt } = await login('alice@staff.example.org');
    expect(await attributesOf(tgt)).toMatchObject({
      user: 'alice',
      successfulAuthenticationHandlers: ['staff'],
    });
    await sso.reconfigure(both());
  });

  test('give attributes to users of other handlers, and are undecided while one is away', async () => {
    await sso.reconfigure({ ...both(), 'sso.authentication.attributes-from': 'ldap' });
    const attributes = async (name: string) => attributesOf(await sso.login(name, PASSWORD));
    expect(await attributes('carol')).toMatchObject({ mail: ['carol@students.example.org'] });
    expect(await attributes('dave')).not.toHaveProperty('mail');
    expect(await attributes('alice')).toMatchObject({ mail: ['alice@staff.example.org'] });
    await staff.stop();
    expect(await attributes('carol')).toMatchObject({ mail: ['carol@students.example.org'] });
    expect(await statusOf('dave')).toBe(503);
    await staff.restart();
    await sso.reconfigure(both());
  });

  test('are looked up for the users that they accepted, and not once they are gone', async () => {
    // 400 for the pattern shows that the user may register services.
    const registering = async (tgt: string): Promise<number> =>
      (await add(sso, tgt, { form: { ...WIKI, serviceId: '(' } })).status;
    const [ofStaff, ofStudents] = [
      await sso.login('jane', PASSWORD),
      await sso.login('jane', STUDENT_PASSWORD),
    ];
    expect([await registering(ofStaff), await registering(ofStudents)]).toEqual([400, 403]);
    await sso.reconfigure({
      [`${KEY}.directories`]: ['students'],
      ...directory('students', students),
    });
    expect([await registering(ofStaff), await registering(ofStudents)]).toEqual([403, 403]);
    expect(await statusOf('jane')).toBe(400);
    await sso.reconfigure(both());
    expect(await registering(ofStaff)).toBe(400);
  });

  test('take another password of one account by itself, without a failed login', async () => {
    await staff.changePassword(SERVICE_ACCOUNT.dn, 'another');
    expect(
      await sso.reconfigure({ ...both(), ...below('staff', { 'bind-password': 'another' }) }),
    ).toEqual({ changed: [`${KEY}.staff.bind-password`], restart: [] });
    expect([await statusOf('alice'), await statusOf('bob')]).toEqual([201, 201]);
  });
});
