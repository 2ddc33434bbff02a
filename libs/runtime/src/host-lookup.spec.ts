import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DnsServer } from '../../../test/support/dns-server.js';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { HostLookup } from './host-lookup.js';

const HOSTS = `# 127.0.0.9 remark.test
127.0.0.1	localhost
127.0.0.2 App.Test alias.test # app.remark
::1 app.test
127.0.0.3,no address.test
`;

let folder: string;
let dns: DnsServer;
let lookup: HostLookup;

async function lookupWith(resolverSettings = ''): Promise<HostLookup> {
  const [hosts, settings] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  await writeFile(hosts, HOSTS);
  await writeFile(settings, resolverSettings);
  return new HostLookup({ hosts, resolverSettings: settings, servers: [dns.address] });
}

const found = async (host: string): Promise<readonly string[]> =>
  (await lookup.find(host)).map(({ address, family }) => `${address}/${family}`);

beforeAll(async () => {
  folder = await makeFolder();
  dns = await DnsServer.start();
});
beforeEach(async () => {
  dns.zone = {};
  dns.questions.length = 0;
  lookup = await lookupWith();
});
afterAll(async () => {
  await dns.stop();
  await removeFolder(folder);
});

describe('no name server is asked for', () => {
  test.each([
    ['an IPv4 address', '192.0.2.1', ['192.0.2.1/4']],
    ['a short form of one', '127.1', ['127.0.0.1/4']],
    ['an IPv6 address', '::ffff:10.0.0.1', ['::ffff:10.0.0.1/6']],
    ['localhost', 'LOCALHOST', ['127.0.0.1/4']],
    ['a name below localhost', 'app.localhost', ['127.0.0.1/4', '::1/6']],
    ['a name in the hosts file, with all its addresses', 'app.test', ['127.0.0.2/4', '::1/6']],
    ['an alias there', 'ALIAS.test', ['127.0.0.2/4']],
  ])('%s', async (_, host, addresses) => {
    expect(await found(host)).toEqual(addresses);
    expect(dns.questions).toEqual([]);
  });
});

describe('the name servers are asked for', () => {
  test.each<[string, DnsServer['zone'], string, readonly string[]]>([
    [
      'both families',
      { 'A a.test': ['192.0.2.1', '192.0.2.2'], 'AAAA a.test': ['2001:db8:0:0:0:0:0:1'] },
      'a.test',
      ['192.0.2.1/4', '192.0.2.2/4', '2001:db8::1/6'],
    ],
    [
      'a name that is not in ASCII',
      { 'A xn--bcher-kva.test': ['192.0.2.1'] },
      'Bücher.test',
      ['192.0.2.1/4'],
    ],
    ['a host with one of them', { 'A a.test': ['192.0.2.1'] }, 'A.test', ['192.0.2.1/4']],
    [
      'a name in a remark of the hosts file',
      { 'A app.remark': ['192.0.2.1'] },
      'app.remark',
      ['192.0.2.1/4'],
    ],
    [
      'a host in a line without an address',
      { 'A address.test': ['192.0.2.1'] },
      'address.test',
      ['192.0.2.1/4'],
    ],
  ])('%s', async (_, zone, host, addresses) => {
    dns.zone = zone;
    expect(await found(host)).toEqual(addresses);
  });

  test.each([
    ['itself, then below the domains', 'a.b', '', ['a.b', 'a.b.one.test', 'a.b.two.test']],
    ['below the domains, then itself', 'ab', '', ['ab.one.test', 'ab.two.test', 'ab']],
    ['by ndots', 'a.b', 'options ndots:2 rotate\n', ['a.b.one.test', 'a.b.two.test', 'a.b']],
    ['itself alone, where it ends in a dot', 'a.b.', '', ['a.b']],
  ])('a name %s of the search list', async (_, host, options, asked) => {
    lookup = await lookupWith(`domain old.test\nsearch one.test two.test ; remark\n${options}`);
    await expect(lookup.find(host)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(dns.questions.filter((each) => each.startsWith('A '))).toEqual(
      asked.map((name) => `A ${name}`),
    );
  });
});

describe('one look-up serves', () => {
  test('concurrent callers, and the next caller asks again', async () => {
    dns.zone = { 'A a.test': ['192.0.2.1'] };
    await Promise.all([found('a.test'), found('a.test'), found('A.TEST')]);
    expect(dns.questions).toHaveLength(2);
    await found('a.test');
    expect(dns.questions).toHaveLength(4);
  });

  test('later callers too, where it failed', async () => {
    await expect(lookup.find('a.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    dns.zone = { 'A a.test': ['192.0.2.1'] };
    await expect(lookup.find('a.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(dns.questions).toHaveLength(2);
  });
});

test('a name server that does not answer is given up, and stops no other look-up', async () => {
  dns.zone = { 'A dead.test': 'silent', 'AAAA dead.test': 'silent', 'A a.test': ['192.0.2.1'] };
  const dead = lookup.find('dead.test');
  expect(await found('a.test')).toEqual(['192.0.2.1/4']);
  await expect(dead).rejects.toMatchObject({
    code: expect.stringMatching(/^(ETIMEOUT|ECANCELLED)$/),
  });
});
