// Attributes from several directories: in which order, and what happens while some are away.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { FakeLdapServer } from '../../../../test/support/fake-ldap-server.js';
import { attribute, entry, message, searchDone } from '../../../../test/support/ldap-messages.js';
import { LdapSettings } from '../settings/ldap-settings.js';
import { LdapAttributes } from './ldap-attributes.js';

/** What a directory has: an entry with this id, none, or two; or it does not answer. */
type Content = 'alice' | 'Alice' | 'nothing' | 'two' | 'away' | 'silent';

let servers: FakeLdapServer[];
let source: LdapAttributes;

beforeEach(() => {
  servers = [];
  configureLogging({ application: 'test', levels: {}, write: () => {} });
});
afterEach(async () => {
  await source.close();
  for (const server of servers) server.close();
});

const entries: Readonly<Record<string, readonly string[]>> = {
  alice: ['alice'],
  Alice: ['Alice'],
  nothing: [],
  two: ['alice', 'alice'],
};

async function open(contents: readonly Content[]): Promise<void> {
  const settings = contents.map(async (content, index) => {
    const server = await FakeLdapServer.start();
    servers.push(server);
    const urls = [content === 'away' ? 'ldap://127.0.0.1:1' : server.url];
    server.onSearch = (id) => {
      if (content === 'silent') return Buffer.alloc(0);
      const found = (entries[content] ?? []).map((uid) =>
        message(id, entry('uid=x', attribute('uid', uid), attribute('mail', `of ${index}`))),
      );
      return Buffer.concat([...found, message(id, searchDone())]);
    };
    const limits = { connectTimeout: 200, timeout: 400 };
    return Object.assign(new LdapSettings(`d${index}`), { urls, baseDn: 'dc=x', ...limits });
  });
  source = await LdapAttributes.open('ldap', await Promise.all(settings));
}

describe('the attributes of a user are', () => {
  test.each<[string, readonly Content[], string | undefined]>([
    ['those of the first directory that has the user', ['alice', 'alice'], 'of 0'],
    ['those of the next one, if the first has no such user', ['nothing', 'alice'], 'of 1'],
    ['those of the next one, if the first has another spelling', ['Alice', 'alice'], 'of 1'],
    ['those of the next one, if the first has two', ['two', 'alice'], 'of 1'],
    ['those of one that answers, if the first is away', ['away', 'alice'], 'of 1'],
    ['those of one that answers, if the first does not', ['silent', 'alice'], 'of 1'],
    ['none where all answer and none has the user', ['nothing', 'Alice', 'two'], undefined],
  ])('%s', async (_rule, contents, mail) => {
    await open(contents);
    // The second time the directories that did not answer are known.
    for (const time of [1, 2]) {
      const found = await source.attributesOf('alice');
      expect([time, found]).toEqual([time, mail === undefined ? undefined : { mail: [mail] }]);
    }
  });

  test.each<[string, readonly Content[]]>([
    ['the first', ['away', 'nothing']],
    ['the last', ['nothing', 'Alice', 'silent']],
    ['each', ['away', 'away']],
  ])('undecided where none has the user and %s is away', async (_which, contents) => {
    await open(contents);
    await expect(source.attributesOf('alice')).rejects.toMatchObject({ code: 'LDAP_UNAVAILABLE' });
  });

  test('not added to those that a directory has given at the login', async () => {
    await open(['alice', 'nothing']);
    expect(source.handlers).toEqual(['d0', 'd1']);
  });
});
