// Servers that lie, break the protocol or send too much. Every login ends in time and nothing else fails.
// The client runs in its own process, which may hang or die.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LdapClient } from '../../../test/support/ldap-client.js';
import { FakeLdapServer, type Answer } from '../../../test/support/fake-ldap-server.js';
import {
  ALICE,
  attribute,
  bindAnswer,
  broken,
  controls,
  element,
  entry,
  integer,
  message,
  policyControl,
  reference,
  result,
  searchDone,
  text,
} from '../../../test/support/ldap-messages.js';
import { optionsFor } from '../../../test/support/ldap-people.js';

const TIMEOUT = 2_000;
/** Extra time for a busy machine. */
const SLACK = 3_000;
const SEARCH_ONLY = { base: 'dc=example', scope: 'sub', filter: '(uid={username})' } as const;
const ACCEPTED = { accepted: { id: 'alice', attributes: {} } };

let fakeServer: FakeLdapServer;
let client: LdapClient;

beforeAll(async () => {
  fakeServer = await FakeLdapServer.start();
  const limits = { connectTimeout: TIMEOUT, timeout: TIMEOUT, retryInterval: 0, poolSize: 1 };
  client = await LdapClient.start(
    optionsFor([fakeServer.url], { ...limits, users: SEARCH_ONLY, attributes: {} }),
  );
});
beforeEach(() => fakeServer.reset());
afterAll(() => {
  client.stop();
  fakeServer.close();
});

const login = () => client.login('alice', TIMEOUT + SLACK);
const found =
  (...operations: readonly Buffer[]): Answer =>
  (id) =>
    Buffer.concat([...operations, searchDone()].map((operation) => message(id, operation)));
/** Sends it repeatedly until the client disconnects. */
const endless =
  (what: (id: number) => Buffer): Answer =>
  (id, socket) => {
    const again = Buffer.concat(Array.from({ length: 100 }, () => what(id)));
    const more = (): void => {
      if (socket?.destroyed === false) socket.write(again, () => setImmediate(more));
    };
    setImmediate(more);
    return again;
  };

/** Each has a part with a length beyond the message. */
const LONG_SET = element(
  0x64,
  text('uid=a'),
  element(0x30, element(0x30, text('uid'), Buffer.from('31d4', 'hex'), text('a'))),
);
const LONG_ATTRIBUTES = element(
  0x64,
  text('uid=a'),
  Buffer.from('307f', 'hex'),
  attribute('uid', 'a'),
);
const PAGED = element(0x30, text('1.2.840.113556.1.4.319'), text(element(0x30, text(''))));
const MANY = Array.from({ length: 20_000 }, () => '');

test.each<[string, { onBind?: Answer; onSearch?: Answer }, string]>([
  ['a set of values longer than its message', { onSearch: found(LONG_SET) }, 'not speak LDAP'],
  ['attributes longer than their message', { onSearch: found(LONG_ATTRIBUTES) }, 'not speak LDAP'],
  [
    'controls announced that never come',
    { onBind: (id) => message(id, bindAnswer(49), Buffer.from('a020', 'hex')) },
    'not speak LDAP',
  ],
  [
    'a password policy without a number',
    { onBind: (id) => message(id, bindAnswer(49), controls(policyControl(element(0x81)))) },
    'not speak LDAP',
  ],
  [
    'a control that the client library knows, of another content',
    { onSearch: (id) => message(id, searchDone(), controls(PAGED)) },
    'Expected 0x',
  ],
  [
    'a message of more than a megabyte',
    { onSearch: found(entry('uid=a', attribute('uid', 'a'.repeat(1_048_576)))) },
    'a message of 1048',
  ],
  [
    'a message of four gigabytes',
    { onSearch: () => Buffer.from('3084ffffffff020101', 'hex') },
    'a message of 4294967301 bytes',
  ],
  [
    'more values than anybody has',
    { onSearch: found(entry('uid=a', attribute('uid', ...MANY))) },
    'too many elements',
  ],
  ['a third entry', { onSearch: found(ALICE, ALICE, ALICE) }, 'too many entries'],
  ['entries without end', { onSearch: endless((id) => message(id, ALICE)) }, 'too many entries'],
  [
    'references without end',
    { onSearch: endless((id) => message(id, reference('ldap://elsewhere/'))) },
    'too many references',
  ],
  [
    'a name that another attribute takes the place of',
    { onSearch: found(entry('uid=a', attribute('DN', 'uid=b'))) },
    'a duplicate attribute',
  ],
  ['success, of a search, to a bind', { onBind: (id) => message(id, searchDone()) }, 'wrong type'],
  [
    'success, of an extension, to a bind',
    { onBind: (id) => message(id, result(0x78, 0)) },
    'wrong type',
  ],
  ['an entry to a bind', { onBind: (id) => message(id, ALICE) }, 'wrong type'],
  ['the end of a bind to a search', { onSearch: (id) => message(id, bindAnswer(0)) }, 'wrong type'],
  [
    'an answer to another question',
    { onBind: (id) => message(id + 1, bindAnswer(0)) },
    'an unexpected message',
  ],
  [
    'an intermediate response',
    { onBind: (id) => message(id, element(0x79)) },
    'clients do not expect',
  ],
  [
    'that it goes',
    { onBind: () => message(0, result(0x78, 52)) },
    'ended the session: LDAP result 52',
  ],
  ['TLS', { onSearch: () => Buffer.from('15030300020246', 'hex') }, 'not speak LDAP'],
])(
  'a server that answers %s is unavailable only for this login',
  async (_what, answers, reason) => {
    Object.assign(fakeServer, answers);
    const { error } = await login();
    expect(error).toMatchObject({ name: 'LdapError', code: 'LDAP_UNAVAILABLE' });
    expect(error?.cause).toContain(reason);
    fakeServer.reset();
    expect(await login()).toMatchObject({ verdict: ACCEPTED });
  },
);

test.each([
  ['nothing', ''],
  ['one word', 'alice'],
  ['the name of a SASL mechanism', 'PLAIN'],
])('an entry named by %s is LDAP_REFUSED, and no bind is sent', async (_what, dn) => {
  let binds = 0;
  fakeServer.onSearch = found(entry(dn, attribute('uid', 'alice')));
  fakeServer.onBind = (id) => {
    binds += 1;
    return message(id, bindAnswer(0));
  };
  expect(await login()).toMatchObject({ error: { name: 'LdapError', code: 'LDAP_REFUSED' } });
  expect(binds).toBe(0);
});

test('a server that sends a message byte by byte, or sends referrals, is supported', async () => {
  fakeServer.onSearch = found(...Array.from({ length: 20 }, () => reference('ldap://b/')), ALICE);
  fakeServer.onBind = (id, socket) => {
    const [first = 0, ...later] = message(id, bindAnswer(0));
    socket?.setNoDelay();
    const say = (): void => {
      const next = later.shift();
      if (next !== undefined) socket?.write(Buffer.of(next), () => setImmediate(say));
    };
    setImmediate(say);
    return Buffer.of(first);
  };
  expect(await login()).toMatchObject({ verdict: ACCEPTED });
});

test('a login ends in time when bytes are changed, lost or added', async () => {
  // Message ids of the client start at 2, and each request has its own connection.
  const id = 2;
  const warning = element(0xa0, integer(0x80, 1));
  const policy = controls(policyControl(warning, integer(0x81, 0)));
  const bind = broken(message(id, bindAnswer(49), policy));
  const search = broken(found(ALICE, reference('ldap://b/'))(id));
  const answering =
    (answer: Buffer): Answer =>
    () =>
      answer;
  const answers = fc.oneof(
    bind.map((answer) => ({ onBind: answering(answer) })),
    search.map((answer) => ({ onSearch: answering(answer) })),
  );
  const property = fc.asyncProperty(answers, async (answer) => {
    fakeServer.reset();
    Object.assign(fakeServer, answer, { closesAfterAnswer: true });
    const { verdict, error } = await login();
    if (verdict === undefined) expect(error).toMatchObject({ name: 'LdapError' });
  });
  await fc.assert(property, { numRuns: 200 });
});
