import { describe, expect, test } from '@jest/globals';
import { oldServerSuite } from '../../../../test/support/old-server.js';
import { convertValue, type ValueConversion } from './conversions.js';

describe('one value', () => {
  test.each<[ValueConversion, string, unknown]>([
    ['inverted', 'true', 'false'],
    ['inverted', 'FALSE', 'true'],
    ['list', 'mail, cn,,', ['mail', 'cn']],
    ['file', 'file:/etc/cas/ca.pem', '/etc/cas/ca.pem'],
    ['file', 'file:///etc/cas/ca.pem', '/etc/cas/ca.pem'],
    ['file', '/etc/cas/ca.pem', '/etc/cas/ca.pem'],
    ['seconds', '7200', '7200s'],
    ['seconds', 'pt2h', 'PT2H'],
    ['seconds', '30m', '30m'],
    ['days', '30', '30d'],
    ['milliseconds', '5000', '5000ms'],
    ['milliseconds', 'PT5S', 'PT5S'],
    ['urls', 'ldaps://a:636, ldaps://b  ldaps://c', ['ldaps://a:636', 'ldaps://b', 'ldaps://c']],
    ['scope', 'true', 'sub'],
    ['filter', 'uid={user}', '(uid={username})'],
    ['filter', '(&(uid={0})(active=1))', '(&(uid={username})(active=1))'],
    ['user-dn', 'uid=%s,dc=example,dc=org', 'uid={username},dc=example,dc=org'],
    ['name-pattern', String.raw`@example\.org`, String.raw`.*@example\.org.*`],
    ['name-pattern', '^s[0-9]+$', 's[0-9]+'],
    ['name-pattern', '^a|b$', '.*(?:^a|b$).*'],
    ['name-pattern', '^(a|b)[0-9]$', '(a|b)[0-9]'],
    ['name-pattern', String.raw`\(a|b\)`, String.raw`.*(?:\(a|b\)).*`],
    ['name-pattern', '^[a-z&&[^q]]+$', '[a-pr-z]+'],
    ['name-pattern', String.raw`x\$`, String.raw`.*x\$.*`],
    ['attributes', 'mail,cn:name,userPassword,cn;lang-de', { mail: 'mail', cn: 'name' }],
  ])('%s: %s', (as, text, value) => {
    expect(convertValue(as, [text])).toEqual({ value });
  });
});

describe('a value without counterpart has a reason', () => {
  test.each<[ValueConversion, string, string]>([
    ['same', '', 'it is empty'],
    ['file', 'classpath:ca.pem', 'it is on the class path: copy the file, and set its path'],
    ['file', 'file:/a.pem,file:/b.pem', 'there is one file here: join them'],
    ['seconds', 'never', 'it is no duration above zero: the default counts'],
    ['seconds', '-1', 'it is no duration above zero: the default counts'],
    ['seconds', '0', 'it is no duration above zero: the default counts'],
    ['milliseconds', 'PT0S', 'it is no duration above zero: the default counts'],
    [
      'name-pattern',
      '^(?!admin).*',
      'only Java has such a pattern: set sso.authentication.ldap.name-pattern',
    ],
    [
      'name-pattern',
      '^[^a-z&&[q]]+$',
      'only Java has such a pattern: set sso.authentication.ldap.name-pattern',
    ],
    ['attributes', 'userPassword', 'it names no attribute'],
  ])('%s: %s', (as, text, problem) => {
    expect(convertValue(as, [text])).toEqual({ problem });
  });
});

describe('several settings', () => {
  const old = oldServerSuite();

  /** The lines of `sso.yml` without comments. */
  async function linesOf(
    properties: string,
    ...options: readonly string[]
  ): Promise<readonly string[]> {
    await old.write({ 'cas.properties': properties });
    await old.report(...options);
    const lines = (await old.read('sso.yml')).split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '' && !line.startsWith('#'));
  }

  test.each<[string, string, readonly string[]]>([
    [
      'a name and a path are the base URL',
      'cas.server.name=https://a\nserver.servlet.context-path=/sso',
      ['base-url: https://a/sso'],
    ],
    [
      'the root has no path',
      'cas.server.prefix=https://a.example.org/',
      ['base-url: https://a.example.org'],
    ],
    [
      'files of a certificate are taken, a key store is named by the files to make of it',
      'server.ssl.certificate=file:/a.pem\nserver.ssl.certificate-private-key=/a.key\nserver.ssl.enabled=true',
      ['certificate-file: /a.pem', 'key-file: /a.key'],
    ],
    [
      'TLS by ldap:// stays TLS',
      'cas.authn.ldap[0].ldap-url=ldap://a:636\ncas.authn.ldap[0].use-ssl=true',
      ['- ldaps://a:636'],
    ],
    [
      'a directory for attributes alone is none for logins',
      'cas.authn.accept.users=a::b\ncas.authn.attribute-repository.ldap[0].ldap-url=ldaps://a\ncas.authn.attribute-repository.ldap[0].base-dn=dc=a\ncas.authn.attribute-repository.ldap[0].search-filter=uid={user}\ncas.authn.attribute-repository.ldap[0].attributes.mail=email',
      ['attributes-from: ldap', '- static', 'mail: email', '- ldaps://a'],
    ],
    [
      'a database of PostgreSQL has its credentials in the URL',
      'spring.datasource.url=jdbc:postgresql://db:5432/sso\nspring.datasource.username=u\nspring.datasource.password=p@ss',
      ['database.url: "postgresql://u:p%40ss@db:5432/sso"'],
    ],
    [
      'a user in the URL of the config server has settings of its own',
      'spring.cloud.config.uri=http://casuser:Mel%40on@config.example.org:8888/',
      ['- http://config.example.org:8888', 'username: casuser', 'password: Mel@on'],
    ],
    [
      'Vault has one URI',
      'spring.cloud.vault.host=vault.example.org\nspring.cloud.vault.scheme=https',
      ['vault.uri: https://vault.example.org:8200'],
    ],
  ])('%s', async (_rule, properties, expected) => {
    const lines = await linesOf(`cas.x=1\n${properties}`);
    expect(lines).toEqual(expect.arrayContaining([...expected]));
  });

  test('names of attributes are whole in each spelling of the keys', async () => {
    const lines = await linesOf(`cas.authn.accept.users=a::b
cas.authn.attributeRepository.stub.attributes.groupMembership=staff
cas.authn.ldap[0].ldapUrl=ldaps://a
cas.authn.attributeRepository.ldap[0].attributes.eduPersonAffiliation=role`);
    expect(lines).toEqual(
      expect.arrayContaining(['groupMembership:', 'eduPersonAffiliation: role']),
    );
  });

  test.each([
    ['', undefined],
    ['cas.authn.ldap[0].ldap-url=ldaps://a', expect.stringMatching(/^users of directories/)],
  ])('an attribute of every user is one of static users: %s', async (directory, note) => {
    await old.write({
      'cas.properties': `cas.authn.accept.users=a::b
cas.authn.attribute-repository.stub.attributes.org=Uni
${directory}`,
    });
    const { renamed } = await old.report();
    expect(renamed.find(({ key }) => key.endsWith('.org'))?.note).toEqual(note);
  });

  test('users that were off stay off', async () => {
    const lines = await linesOf('cas.authn.accept.users=a::b\ncas.authn.accept.enabled=false');
    expect(lines.join('\n')).not.toMatch(/static|handlers/);
  });

  test('a pattern of user names that only Java has makes sign-in weaker', async () => {
    await old.write({
      'cas.properties':
        'cas.authn.ldap[0].ldap-url=ldaps://a\ncas.authn.ldap[0].credential-criteria=(?!root).*',
    });
    expect((await old.migrate()).stderr).toContain('--accept cas.authn.ldap.credential-criteria');
  });

  test('a limit of zero is not written: there is no start with it', async () => {
    const lines = await linesOf(
      'cas.ticket.tgt.primary.max-time-to-live-in-seconds=0\ncas.ticket.st.time-to-kill-in-seconds=PT0S',
    );
    expect(lines.join('\n')).not.toMatch(/max-lifetime|st\.lifetime/);
  });

  test.each([
    ['connect-timeout=PT5S', 'timeout: PT5S'],
    ['connect-timeout=PT5S\ncas.authn.ldap[0].response-timeout=3000', 'timeout: PT5S'],
    ['connect-timeout=PT1S\ncas.authn.ldap[0].response-timeout=3000', 'timeout: 3000ms'],
  ])('the timeout of a login includes opening a connection: %s', async (properties, expected) => {
    const lines = await linesOf(
      `cas.authn.ldap[0].ldap-url=ldaps://a\ncas.authn.ldap[0].${properties}`,
    );
    expect(lines).toContain(expected);
  });

  test.each([
    ['in one list', 'cas.authn.ldap[0].principal-attribute-list=cn:first,cn:second'],
    [
      'in two settings',
      'cas.authn.attribute-repository.ldap[0].attributes.cn=second\ncas.authn.ldap[0].principal-attribute-list=cn:first',
    ],
  ])('a second name of an attribute is named as lost: %s', async (_where, properties) => {
    await old.write({ 'cas.properties': `cas.authn.ldap[0].ldap-url=ldaps://a\n${properties}` });
    const { renamed } = await old.report();
    expect(renamed.map(({ note }) => note)).toContainEqual(
      expect.stringMatching(/^without (?:first|second), a second name of an attribute: /),
    );
  });

  test('a directory without servers is left out, as there', async () => {
    const lines = await linesOf('cas.authn.ldap[0].type=AD\ncas.authn.ldap[0].base-dn=dc=a');
    expect(lines.join('\n')).not.toContain('ldap');
  });
});

describe('a directory of attributes', () => {
  const old = oldServerSuite();
  const LOGINS = `cas.authn.ldap[0].ldap-url=ldaps://a.example.org
cas.authn.ldap[0].base-dn=ou=people,dc=example
cas.authn.ldap[1].ldap-url=ldaps://b.example.org,ldaps://c.example.org
`;
  const KEY = 'cas.authn.attribute-repository.ldap[0]';

  async function reportOf(url: string, base = 'dc=example') {
    await old.write({
      'cas.properties': `${LOGINS}${KEY}.ldap-url=${url}\n${KEY}.base-dn=${base}\n${KEY}.attributes.cn=name`,
    });
    const { renamed, left, next } = await old.report();
    const here = renamed.find(({ key }) => key === `${KEY}.attributes.cn`)?.here;
    return { here, left: left.map(({ key }) => key), next: next.join('\n') };
  }

  test.each([
    ['ldap://A.example.org:389', 'directory-1'],
    ['ldaps://c.example.org', 'directory-2'],
  ])('is the one of logins with its server: %s', async (url, name) => {
    const { here, next } = await reportOf(url);
    expect(here).toEqual([`sso.authentication.ldap.${name}.attributes`]);
    expect(next).not.toContain('attributes-from');
  });

  test.each([
    ['another server', 'ldaps://other.example.org', 'dc=example'],
    ['other entries', 'ldaps://a.example.org', 'ou=cards,dc=example'],
  ])('is left out, and is a step, where it has %s', async (_what, url, base) => {
    const { here, left, next } = await reportOf(url, base);
    expect(here).toBeUndefined();
    expect(left).toContain(`${KEY}.attributes.cn`);
    expect(next).toContain(`applications miss the attributes of ${KEY}`);
  });

  test('a database is a step', async () => {
    await old.write({
      'cas.properties': `${LOGINS}cas.authn.attribute-repository.jdbc[0].sql=select * from p where {0}`,
    });
    expect((await old.report()).next.join('\n')).toContain(
      'applications miss the attributes of cas.authn.attribute-repository.jdbc[0]',
    );
  });
});
