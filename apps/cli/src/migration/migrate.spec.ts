// `tessera migrate`: what is refused, what is written, and that no key is lost.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { MIGRATION_ROWS } from '@tessera/config';
import { cipherVectors } from '../../../../test/support/cipher-vectors.js';
import { oldServerSuite } from '../../../../test/support/old-server.js';
import { convertSettings } from './convert-settings.js';

const old = oldServerSuite();
const MFA = 'cas.authn.mfa.duo[0].duo-secret-key=TOPSECRET\ncas.authn.mfa.gauth.core.issuer=x\n';

/** Each line has the one before it twice. */
const LAUGHS = Array.from({ length: 40 }, (_, at) =>
  at === 0 ? 'a0=xxxxxxxxxx' : `a${at}=\${a${at - 1}}\${a${at - 1}}`,
).join('\n');

describe('a setting that makes sign-in weaker', () => {
  test('is named, and nothing is written', async () => {
    await old.write({ 'cas.properties': `${MFA}cas.authn.reject.users=ann` });
    const { exitCode, stdout, stderr } = await old.migrate();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /Makes sign-in weaker: 3\n {2}cas\.authn\.mfa\.duo\[0\]\.duo-secret-key \(cas\.properties:1\): asks for a second factor; --accept cas\.authn\.mfa\n/,
    );
    expect(stderr).toBe(
      'tessera: nothing is written: logins would be weaker; to accept that, give --accept cas.authn.mfa --accept cas.authn.reject\n',
    );
    expect(await readdir(dirname(old.into))).toEqual(['old']);
  });

  test('is accepted by its key or its group', async () => {
    await old.write({ 'cas.properties': MFA });
    const keys = ['cas.authn.mfa.duo[0].duo-secret-key', 'cas.authn.mfa.gauth.core.issuer'];
    const report = await old.report(...keys.flatMap((key) => ['--accept', key]));
    expect(report.weaker.map(({ key }) => key)).toEqual(keys);
    expect(report.written).toBe(true);
  });

  test('that cannot be read is one, too', async () => {
    await old.write({ 'cas.properties': 'cas.authn.mfa.duo[0].duo-secret-key={cas-cipher}AAAA' });
    expect((await old.migrate()).exitCode).toBe(1);
  });

  test('is not accepted by another name', async () => {
    await old.write({ 'cas.properties': MFA });
    expect(await old.migrate('--accept', 'cas.authn')).toMatchObject({
      exitCode: 1,
      stderr: 'tessera: --accept cas.authn: no such setting makes sign-in weaker\n',
    });
  });
});

test('no value of the old settings is in the report', async () => {
  const secrets = ['TOPSECRET1', 'TOPSECRET2', 'TOPSECRET3'];
  await old.write({
    'cas.properties': `cas.authn.accept.users=ann::${secrets[0]}
cas.authn.ldap[0].bind-credential=${secrets[1]}
cas.tgc.crypto.signing.key=${secrets[2]}`,
  });
  const { stdout } = await old.migrate();
  const written = await old.read('report.txt');
  const json = await old.migrate('--json', '--into', `${old.into}-json`);
  expect(json.exitCode).toBe(0);
  for (const secret of secrets) expect(stdout + written + json.stdout).not.toContain(secret);
});

test('the directory and its settings are for their owner alone', async () => {
  await old.write({ 'cas.properties': 'cas.server.prefix=https://a.example.org/cas' });
  await old.migrate();
  expect((await stat(old.into)).mode & 0o777).toBe(0o700);
  expect((await stat(join(old.into, 'sso.yml'))).mode & 0o777).toBe(0o600);
});

test('the settings have the old keys as comments', async () => {
  await old.write({
    'cas.properties':
      'cas.server.prefix=https://a.example.org/cas\ncas.ticket.st.time-to-kill-in-seconds=20',
  });
  await old.migrate();
  expect(await old.read('sso.yml'))
    .toBe(`# Written by tessera migrate. A comment is the old key of the value below it.
sso:
  # cas.server.prefix
  base-url: https://a.example.org/cas
  dialect: apereo
  tickets:
    # cas.ticket.st.time-to-kill-in-seconds
    st.lifetime: 20s
    tgt.remember-me-lifetime: 0s
`);
});

test('a line end in an old key ends no comment', async () => {
  await old.write({
    'cas.properties': String.raw`cas.authn.accept.users=ann::secret
cas.authn.attribute-repository.stub.attributes.x\nevil\:\ y=1`,
  });
  await old.migrate();
  const lines = (await old.read('sso.yml')).split('\n');
  expect(lines).toContain('      # cas.authn.attribute-repository.stub.attributes.x evil: y');
  expect(lines.filter((line) => line.startsWith('evil'))).toEqual([]);
});

test('a user in the URL of a config server may have a percent sign', async () => {
  await old.write({ 'cas.properties': 'spring.cloud.config.uri=http://ann:a%b@127.0.0.1:8888' });
  expect((await old.migrate()).exitCode).toBe(0);
  expect(await old.read('sso.yml')).toContain('password: "a%b"');
});

describe('service files that are links', () => {
  const service = JSON.stringify({
    '@class': 'org.apereo.cas.services.CasRegisteredService',
    serviceId: '^https://a.example.org/.*',
    name: 'a',
    id: 1,
  });

  beforeEach(() =>
    old.write({
      'cas.properties': 'cas.server.prefix=https://a.example.org/cas',
      'services/..data/a.json': service,
    }),
  );

  test('are relative in the new directory, too', async () => {
    await symlink('..data/a.json', join(old.directory, 'services/a.json'));
    const { services } = await old.report();
    expect(services?.counts).toMatchObject({ refused: 0 });
    expect(await readlink(join(old.into, 'services/a.json'))).toBe('..data/a.json');
    expect(await old.read('services/a.json')).toBe(service);
  });

  test('and what is no file is an error that leaves nothing', async () => {
    await promisify(execFile)('mkfifo', [join(old.directory, 'services/b')]);
    await old.write({ 'services/c.json': service });
    const { exitCode, stderr } = await old.migrate();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^tessera: the service files in .* cannot be copied \(\w+\)\n$/);
    expect(await readdir(dirname(old.into))).toEqual(['old']);
  });
});

test('an encrypted value without its key is named, and is not written', async () => {
  const [{ cipher } = { cipher: '' }] = cipherVectors('jasypt');
  await old.write({
    'cas.properties': `cas.authn.ldap[0].ldap-url=ldaps://a.example.org
cas.authn.ldap[0].bind-credential=ENC(${cipher})
cas.server.prefix=\${LOGIN_URL}/cas`,
  });
  const { left, next } = await old.report();
  expect(left).toEqual([
    {
      key: 'cas.authn.ldap[0].bind-credential',
      origin: 'cas.properties:2',
      note: 'it cannot be decrypted: give its key',
    },
    {
      key: 'cas.server.prefix',
      origin: 'cas.properties:3',
      note: 'a placeholder in it has no value',
    },
  ]);
  expect(next[0]).toBe(
    'set what could not be read: cas.authn.ldap[0].bind-credential, cas.server.prefix',
  );
  expect(await old.read('sso.yml')).not.toContain(cipher);
});

test('an export of users is copied, its users can log in, and the report names the command', async () => {
  await old.write({
    'cas.properties':
      'cas.server.name=https://a.example.org\ncas.authn.ldap[0].ldap-url=ldaps://a.example.org',
    'people.csv': 'name\nann\n',
  });
  const { next } = await old.report('--users', join(old.directory, 'people.csv'));
  expect(await old.read('users.csv')).toBe('name\nann\n');
  expect((await stat(join(old.into, 'users.csv'))).mode & 0o777).toBe(0o600);
  expect(await old.read('sso.yml')).toMatch(/handlers:\n\s+- ldap\n\s+- accounts\n/);
  expect(next).toContain(
    `import the users, then delete the file: tessera user import ${old.into}/users.csv --profiles.active=production --settings.location=${old.into}`,
  );
});

test('files of other profiles are named', async () => {
  await old.write({ 'cas.properties': 'a=1', 'cas-dev.properties': 'b=1', 'cas-prod.yml': 'c: 1' });
  const report = await old.report('--profiles', 'prod');
  expect(report.unreadFiles).toEqual(['cas-dev.properties']);
  expect(report.left.map(({ key, note }) => [key, note])).toEqual([
    ['a', 'unknown'],
    ['c', 'unknown'],
  ]);
});

test('a list of a stronger file replaces the list, and other keys stay', async () => {
  await old.write({
    'application.yml':
      'cas.authn.ldap: [{ ldap-url: [ldaps://a, ldaps://b], base-dn: dc=a, search-filter: "uid={user}" }]',
    'cas.properties': 'cas.authn.ldap[0].ldapUrl=ldaps://c\ncas.authn.ldap[0].baseDn=dc=c',
  });
  const { renamed } = await old.report();
  const yaml = await old.read('sso.yml');
  expect(yaml.match(/ldaps:.*/g)).toEqual(['ldaps://c']);
  expect(yaml).toMatch(/filter: "\(uid=\{username\}\)"/);
  expect(Object.fromEntries(renamed.map(({ key, origin }) => [key, origin]))).toEqual({
    'cas.authn.ldap[0].search-filter': 'application.yml:1',
    'cas.authn.ldap[0].ldapUrl': 'cas.properties:1',
    'cas.authn.ldap[0].baseDn': 'cas.properties:2',
  });
});

describe('nothing is written, and nothing is left over', () => {
  test.each<[string, Readonly<Record<string, string>>, string, readonly string[]]>([
    ['without settings', {}, 'there is no cas.properties', []],
    ['for invalid YAML', { 'cas.yml': 'a: [1' }, 'cas.yml', []],
    [
      'for placeholders without end',
      { 'cas.properties': LAUGHS },
      'stands in so many placeholders that they come to more than 1 MiB',
      [],
    ],
    [
      'for a missing export',
      { 'cas.properties': 'a=1' },
      'does not exist',
      ['--users', '/nonexistent.csv'],
    ],
    [
      'for a missing password',
      { 'cas.properties': 'a=1' },
      'UNSET_KEY',
      ['--password-env', 'UNSET_KEY'],
    ],
  ])('%s', async (_rule, files, message, options) => {
    await old.write(files);
    const { exitCode, stderr } = await old.migrate(...options);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(await readdir(dirname(old.into))).toEqual(['old']);
  });

  test('where something is', async () => {
    await old.write({ 'cas.properties': 'a=1' });
    await mkdir(old.into);
    await writeFile(join(old.into, 'sso.yml'), 'mine');
    const { stderr } = await old.migrate();
    expect(stderr).toBe(`tessera: ${old.into} is not empty: give a new directory\n`);
    expect(await old.read('sso.yml')).toBe('mine');
  });
});

test('an empty directory is taken', async () => {
  await old.write({ 'cas.properties': 'a=1' });
  await mkdir(old.into);
  await old.report();
  expect(await readdir(old.into)).toEqual(['report.txt', 'sso.yml']);
});

describe('every key of the table and below it has one entry', () => {
  const values = [
    '',
    'true',
    'false',
    '10',
    'PT8H',
    'never',
    'a,b',
    'file:/a',
    'classpath:/a',
    '${x}',
    '(?=a)',
  ];
  const names = MIGRATION_ROWS.flatMap(({ there }) => {
    const indexed = there.replace(/\.(ldap|composite)\b/, '.$1[1]');
    return [there, `${there}.other`, indexed, `${indexed}.other[0].more`];
  });
  test.each(['sso', 'config-server'] as const)('%s', async (application) => {
    for (const value of values) {
      const settings = [...new Set([...names, 'unknown.key', 'cas'])].map((name) => ({
        key: name,
        name,
        values: [value],
        origin: 'x',
        ...(value === '${x}' && { values: [], unreadable: 'no value' }),
      }));
      const draft = await convertSettings(settings, { application, services: undefined });
      const entries = draft.entriesOf(settings);
      expect(entries.map(({ key }) => key).toSorted()).toEqual(
        settings.map(({ key }) => key).toSorted(),
      );
    }
  });
});
