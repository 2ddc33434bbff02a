// Verification of servers' certificates: a server with an invalid one receives no data.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { TestAuthority } from '../../../test/support/pki/test-authority.js';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { optionsFor, PASSWORD, person } from '../../../test/support/ldap-people.js';
import { describeWithSlapd, Slapd } from '../../../test/support/slapd.js';
import { until } from '../../../test/support/until.js';
import { LdapDirectory } from './ldap-directory.js';

/** 127.0.0.1 in a spelling that no certificate has. */
const UNCERTIFIED = '127.1';
const YESTERDAY = new Date(Date.now() - 3_600_000);
const ACCEPTED = { accepted: { id: 'alice', attributes: {} } };

let folder: string;
let good: Slapd;
let expired: Slapd;
let plain: Slapd;

const file = (name: string) => join(folder, name);
const login = async (url: string, startTls = false, ca?: string) => {
  const caFile = ca === undefined ? undefined : { setting: 'ca-file', path: file(ca) };
  const directory = await LdapDirectory.open(optionsFor([url], { startTls, caFile }));
  try {
    return await directory.authenticate('alice', PASSWORD);
  } finally {
    directory.close();
  }
};

async function serverWith(authority: TestAuthority, name: string, notAfter?: Date): Promise<Slapd> {
  const { cert, key } = await authority.issue(`CN=${name}`, notAfter);
  await writeFile(file(`${name}.pem`), cert);
  await writeFile(file(`${name}.key`), key);
  const tls = { certificate: file(`${name}.pem`), key: file(`${name}.key`) };
  return Slapd.start({ entries: [person('alice')], tls });
}

beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

describeWithSlapd('a server’s certificate', () => {
  beforeAll(async () => {
    const names = ['CN=Test CA', 'CN=Test CA', 'CN=Third CA'];
    const authorities = await Promise.all(names.map((name) => TestAuthority.create(name)));
    const [authority, other, third] = authorities as [TestAuthority, TestAuthority, TestAuthority];
    await writeFile(file('ca.pem'), authority.cert);
    await writeFile(file('other.pem'), other.cert);
    await writeFile(file('both.pem'), `${third.cert}\n# the second\n${authority.cert}`);
    good = await serverWith(authority, 'good');
    expired = await serverWith(authority, 'expired', YESTERDAY);
    plain = await Slapd.start({ entries: [person('alice')] });
  });
  afterAll(async () => {
    for (const slapd of [good, expired, plain]) await slapd.remove();
  });
  // Each of these servers is unavailable for the reason in the log.
  beforeEach(() => configureLogging({ application: 'test', levels: {}, write: () => {} }));
  afterEach(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

  interface Row {
    readonly title: string;
    readonly url: () => string;
    readonly startTls?: boolean;
    readonly ca?: string;
    readonly reason: string;
  }
  const ldaps = { startTls: false, ca: 'ca.pem' };
  const ldap = { startTls: true, ca: 'ca.pem' };
  const misnamed = (url: string) => url.replace('127.0.0.1', UNCERTIFIED);
  const ROWS: readonly Row[] = [
    {
      ...ldaps,
      title: 'from another CA',
      url: () => good.tlsUrl,
      ca: 'other.pem',
      reason: 'signature',
    },
    {
      ...ldap,
      title: 'from another CA',
      url: () => good.url,
      ca: 'other.pem',
      reason: 'signature',
    },
    { title: 'from no public CA', url: () => good.tlsUrl, reason: 'certificate' },
    { title: 'from no public CA', url: () => good.url, startTls: true, reason: 'certificate' },
    { ...ldaps, title: 'for another host', url: () => misnamed(good.tlsUrl), reason: 'altnames' },
    { ...ldap, title: 'for another host', url: () => misnamed(good.url), reason: 'altnames' },
    { ...ldaps, title: 'that has expired', url: () => expired.tlsUrl, reason: 'expired' },
    { ...ldap, title: 'that has expired', url: () => expired.url, reason: 'expired' },
    { ...ldaps, title: 'that is not there', url: () => plain.tlsUrl, reason: '' },
    { ...ldap, title: 'that is not there', url: () => plain.url, reason: 'does not start TLS' },
    {
      ...ldaps,
      title: 'on a port without TLS',
      url: () => plain.url.replace('p', 'ps'),
      reason: '',
    },
  ];

  test.each(ROWS)('$title makes the server unavailable ($startTls)', async (row) => {
    const servers = [good, expired, plain];
    const marks = servers.map(({ mark }) => mark);
    const failed = login(row.url(), row.startTls, row.ca);
    await expect(failed).rejects.toMatchObject({ code: 'LDAP_UNAVAILABLE' });
    const cause = await failed.catch((fault: unknown) => String((fault as Error).cause));
    expect(cause).toContain(row.reason);
    const noted = () => servers.map((slapd, index) => slapd.logSince(marks[index])).join('');
    await until('the connection has ended', () => noted().includes(' closed'));
    expect(noted()).not.toContain('BIND');
  });

  // In its own process, because Node reads the variable where jest cannot set it.
  test('is verified whatever the environment says', async () => {
    const transport = join(import.meta.dirname, 'transport.ts');
    const hooks = join(import.meta.dirname, '../../../test/support/resolve-sources.ts');
    const program = `
      import { addressOf, openTransport } from ${JSON.stringify(transport)};
      const opening = openTransport(addressOf('${good.tlsUrl}', false), AbortSignal.timeout(5_000));
      await opening.then((socket) => socket.destroy(), ({ code }) => console.log(code));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--experimental-transform-types', `--import=${hooks}`, '--input-type=module', '-e', program],
      { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
    );
    expect(stdout).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE\n');
  });

  test.each<[string, () => string, boolean, string]>([
    ['over LDAPS', () => good.tlsUrl, false, 'ca.pem'],
    ['over StartTLS', () => good.url, true, 'ca.pem'],
    ['over LDAPS, where StartTLS is for others', () => good.tlsUrl, true, 'ca.pem'],
    [
      'for a host by its name',
      () => good.tlsUrl.replace('127.0.0.1', 'localhost'),
      false,
      'ca.pem',
    ],
    ['from the second of two CAs', () => good.url, true, 'both.pem'],
  ])('is good %s', async (_what, url, startTls, ca) => {
    expect(await login(url(), startTls, ca)).toEqual(ACCEPTED);
  });
});

describe('the file of CAs', () => {
  test.each([
    ['is not there', undefined, 'does not exist'],
    ['holds no certificate', 'nothing', 'it holds no certificate'],
    ['holds a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', ''],
  ])('is named in the error when it %s', async (_what, content, reason) => {
    const path = file('authorities.pem');
    if (content !== undefined) await writeFile(path, content);
    const opened = LdapDirectory.open(
      optionsFor(['ldaps://127.0.0.1'], { caFile: { setting: 'ca-file', path } }),
    );
    await expect(opened).rejects.toMatchObject({ code: 'LDAP_CA_UNREADABLE', isTemporary: false });
    const { message } = (await opened.catch((error: unknown) => error)) as Error;
    expect(message).toMatch(/^ca-file: (?:cannot read )?\/.*authorities\.pem/);
    expect(message).toContain(reason);
  });
});
