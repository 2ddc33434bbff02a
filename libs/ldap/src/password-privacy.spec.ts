// A password goes to the directory that has the user, and to no other.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { FakeLdapServer, type Answer } from '../../../test/support/fake-ldap-server.js';
import { ALICE, message, searchDone } from '../../../test/support/ldap-messages.js';
import { optionsFor } from '../../../test/support/ldap-people.js';
import { LdapDirectory } from './ldap-directory.js';

const PASSWORD = 'of nobody else';

let server: FakeLdapServer;
let directory: LdapDirectory;

beforeAll(async () => {
  server = await FakeLdapServer.start();
  directory = await LdapDirectory.open(
    optionsFor([server.url], {
      users: { base: 'dc=example', scope: 'sub', filter: '(uid={username})' },
    }),
  );
});
afterAll(() => {
  directory.close();
  server.close();
});
beforeEach(() => {
  server.reset();
  server.received = '';
});

const answering =
  (...entries: readonly Buffer[]): Answer =>
  (id) =>
    Buffer.concat([...entries.map((each) => message(id, each)), message(id, searchDone())]);

test.each<[string, readonly Buffer[], boolean]>([
  ['finds no user gets a bind without the password', [], false],
  ['finds two users gets a bind without the password', [ALICE, ALICE], false],
  ['finds the user gets a bind with the password', [ALICE], true],
])('a directory that %s', async (_rule, entries, isSent) => {
  server.onSearch = answering(...entries);
  await directory.authenticate('alice', PASSWORD);
  expect(server.received).toMatch(isSent ? 'uid=alice,dc=example' : /cn=[0-9a-f-]{36},dc=example/);
  expect(server.received.includes(PASSWORD)).toBe(isSent);
});
