// Many reloads with random settings, valid and invalid, while users log in and tickets are granted and validated.
// Every answer belongs to one set of settings, no request fails, and old sets leak no resources.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { configureLogging } from '@tessera/logging';
import { Connection } from '../support/connection.js';
import { collectGarbage } from '../support/heap.js';
import { http, type Reply } from '../support/http.js';
import { FakeLdapServer } from '../support/fake-ldap-server.js';
import { bindAnswer, message } from '../support/ldap-messages.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const RELOADS = 40;
/** Reloads before the measurement, which fill caches and compile code. */
const WARM_UP = 10;
const CALLERS = 2;
/** Number of distinct user and role names among the sets. */
const NAMES = 4;
const SEED = Date.now();
const INVALID_CREDENTIALS = 49;
/** Answers by the last settings of a series, from callers that go on. */
const MIN_ATTRIBUTED = 10;
/** The current one, and those whose last connections are closing. */
const MAX_APPLICATIONS = 3;
/** Connections open and close during the measurement. */
const MAX_MORE_HANDLES = 10;

/** Each of them makes a set invalid. */
const INVALID_SETTINGS: readonly Readonly<Record<string, unknown>>[] = [
  { 'sso.tickets.st.lifetime': 'soon' },
  { 'sso.rest.services.role-value': '(' },
  { 'sso.authentication.static.users': 'nobody' },
  { 'sso.authentication.ldap.ca-file': '/nosuch' },
  { 'sso.base-url': 'ftp://x' },
];

interface SettingsSet {
  readonly number: number;
  readonly invalid: number | undefined;
  /** Dialect `apereo`. */
  readonly isStrict: boolean;
  readonly seconds: number;
}

const SETS = fc.sample(
  fc.record<SettingsSet>({
    number: fc.nat(NAMES - 1),
    invalid: fc.option(fc.nat(INVALID_SETTINGS.length - 1), { nil: undefined, freq: 2 }),
    isStrict: fc.boolean(),
    seconds: fc.integer({ min: 10, max: 60 }),
  }),
  { numRuns: WARM_UP + RELOADS, seed: SEED },
);

const FIRST: SettingsSet = { number: 0, invalid: undefined, isStrict: false, seconds: 10 };

let sso: Sso;
let fakeLdapServer: FakeLdapServer;

beforeAll(async () => {
  configureLogging({ application: 'test', levels: { root: 'error' } });
  fakeLdapServer = await FakeLdapServer.start();
  fakeLdapServer.onBind = (id) => message(id, bindAnswer(INVALID_CREDENTIALS));
  sso = await startSso({
    settings: ['--sso.modules=rest,rest-services', '--sso.authentication.handlers=static,ldap'],
    files: { 'sso.yml': JSON.stringify(settingsOf(FIRST)) },
  });
});
afterAll(async () => {
  await sso.close();
  fakeLdapServer.close();
});

/** Every set has user `ada` with all roles; user `u3` exists only in sets of number 3. */
function settingsOf({
  number,
  invalid,
  isStrict,
  seconds,
}: SettingsSet): Readonly<Record<string, unknown>> {
  const roles = Array.from({ length: NAMES }, (_, each) => [`role${each}`, `value${each}`]);
  return {
    'sso.dialect': isStrict ? 'apereo' : 'documented',
    'sso.validation.cas2-attributes': number % 2 === 0,
    'sso.authentication.static.users': ['ada::Mellon', `u${number}::Mellon${number}`],
    'sso.authentication.static.attributes': {
      ada: Object.fromEntries(roles),
      [`u${number}`]: { set: `set${number}` },
    },
    'sso.authentication.ldap.urls': fakeLdapServer.url,
    'sso.authentication.ldap.user-dn': 'uid={username},dc=example',
    'sso.authentication.ldap.timeout': `${seconds}s`,
    'sso.rest.services.role-name': `role${number}`,
    'sso.rest.services.role-value': `value${number}`,
    'sso.tickets.st.lifetime': `${seconds}s`,
    'sso.tickets.tgt.max-lifetime': `${seconds}h`,
    ...(invalid !== undefined && INVALID_SETTINGS[invalid]),
  };
}

/** Shared with the callers: the current set, or undefined during a reload. */
const state: { set: SettingsSet | undefined; isOver: boolean; attributed: number } = {
  set: undefined,
  isOver: false,
  /** Number of answers that belong to one known set. */
  attributed: 0,
};
/** Answers that must not occur. */
const unexpected: string[] = [];
/** The kinds of answers. */
const answers = new Set<string>();

async function keepCalling(): Promise<void> {
  const connection = await Connection.open(Number(new URL(sso.url).port));
  for (let turn = 0; !state.isOver; turn += 1) {
    await useAsAda(connection);
    await useAsOneOfMany(connection, turn % NAMES);
  }
  connection.close();
}

/** `ada` exists in every set, and has the role that the set requires. */
async function useAsAda(connection: Connection): Promise<void> {
  const { status, body } = await login('ada', 'Mellon');
  expectStatus('login of ada', status, [201], body);
  await expectAssertion(connection, body, '<cas:role3>value3</cas:role3>');
  const asked = await connection.post(`/cas/v1/services/add/${body}`, '');
  expectStatus('registration', asked.status, [400], asked.body);
}

/** Each set has one of these users, with its own attribute. */
async function useAsOneOfMany(connection: Connection, number: number): Promise<void> {
  const { set, reply } = await withCurrentSet(() => login(`u${number}`, `Mellon${number}`));
  const { status, body } = reply;
  const refused = set?.isStrict ? 401 : 400;
  const good = set?.number === number ? 201 : refused;
  expectStatus('login of u', status, set ? [good] : [201, 400, 401], body);
  if (status === 201) await expectAssertion(connection, body, `<cas:set>set${number}</cas:set>`);
}

/** The answer, and the set that was current during the whole request; undefined if it may have changed. */
async function withCurrentSet(
  ask: () => Promise<Reply>,
): Promise<{ readonly set: SettingsSet | undefined; readonly reply: Reply }> {
  const { set } = state;
  const reply = await ask();
  if (set === undefined || set !== state.set) return { set: undefined, reply };
  state.attributed += 1;
  return { set, reply };
}

function login(username: string, password: string): Promise<Reply> {
  const headers = { accept: 'text/plain' };
  const form = { username, password };
  return http('POST', sso.url, '/v1/tickets', { form, headers });
}

async function expectAssertion(
  connection: Connection,
  tgt: string,
  attribute: string,
): Promise<void> {
  const service = encodeURIComponent(APP);
  const granted = await connection.post(`/cas/v1/tickets/${tgt}`, `service=${service}`);
  expectStatus('grant', granted.status, [200], granted.body);
  const path = `/cas/p3/serviceValidate?service=${service}&ticket=${granted.body}`;
  const { status, body } = await connection.get(path);
  expectStatus('validation', status, [200], body);
  if (!body.includes(attribute)) report('validation', body);
  const again = await connection.get(path);
  expectStatus('second validation', again.status, [200, 400], again.body);
}

function expectStatus(what: string, status: number, good: readonly number[], body: string): void {
  const kind = `${what}: ${status}`;
  answers.add(kind);
  if (!good.includes(status)) report(kind, body);
}

function report(what: string, detail: string): void {
  unexpected.push(`${what}: ${detail}`);
}

/** Every application that was current. */
const applications: WeakRef<object>[] = [];

/** Without callers: applications in memory, open files and sockets, timers and other handles. */
function resourceUsage() {
  collectGarbage();
  return {
    applications: applications.filter((each) => each.deref() !== undefined).length,
    files: readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().length,
  };
}

async function reloadThrough(sets: readonly SettingsSet[]): Promise<void> {
  state.isOver = false;
  const callers = Array.from({ length: CALLERS }, keepCalling);
  for (const set of sets) {
    if (set.invalid === undefined) state.set = undefined;
    const outcome = await sso.reconfigure(settingsOf(set));
    const isTaken = !('problems' in outcome);
    if (isTaken !== (set.invalid === undefined)) report('reload', JSON.stringify({ set, outcome }));
    if (isTaken) state.set = set;
    if (isTaken) applications.push(new WeakRef(sso.application));
  }
  const attributed = state.attributed + MIN_ATTRIBUTED;
  await until('callers were answered by the last settings', () => state.attributed >= attributed);
  state.isOver = true;
  await Promise.all(callers);
}

test('many reloads mix no sets, fail no request, and leave nothing behind', async () => {
  await reloadThrough(SETS.slice(0, WARM_UP));
  const before = resourceUsage();
  await reloadThrough(SETS.slice(WARM_UP));
  expect({ seed: SEED, faults: unexpected.slice(0, 5) }).toEqual({ seed: SEED, faults: [] });
  const kinds = ['login of u: 201', 'login of u: 400', 'login of u: 401', 'validation: 200'];
  expect([...answers]).toEqual(expect.arrayContaining(kinds));
  // Connections that end, and their time limits, stay for a moment.
  await until('no more resources than before', () => {
    const after = resourceUsage();
    return (
      after.applications <= MAX_APPLICATIONS &&
      after.files - before.files < MAX_MORE_HANDLES &&
      after.resources - before.resources < MAX_MORE_HANDLES
    );
  });
});
