import { describe, expect, test } from '@jest/globals';
import { CoreSettings, Secret } from '@tessera/config';
import { GitSettings } from './git-settings.js';
import { gitTransportOf } from './git-uri.js';

const PASSWORD = new Secret('s3cret');
const FORMS = 'must be https://…, http://…, ssh://…, git@host:path, file:///… or an absolute path';
const USERINFO = 'may hold neither user nor password: they have settings of their own';
const PLACEHOLDERS = '{application}, {profile} and {label}';
const PROXY = 'http://proxy.example.org:3128';
const PATH = 'must be an absolute path of letters, digits and any of ._/@+-';

/** What is wrong with the settings, by their names behind `config-server.git.`. */
function complaints(given: Partial<GitSettings>, backends: readonly string[] = ['git']): string[] {
  const holder = Object.assign(new CoreSettings(), { backends });
  const found = [...Object.assign(new GitSettings(), given).check(holder)];
  return found.map(({ key, message }) => `${key.replace('config-server.git.', '')} ${message}`);
}

describe('the address of a repository', () => {
  test.each([
    ['https://user:s3cret@example.org/x.git', USERINFO],
    ['https://t0ken@example.org/x.git', USERINFO],
    ['https://:s3cret@example.org/x.git', USERINFO],
    ['ssh://git:s3cret@example.org/x.git', USERINFO],
    ['https://example.org/x.git?private_token=s3cret', FORMS],
    ['https://example.org/x.git#s3cret', FORMS],
    ['https://example.org', FORMS],
    ['https:///x', FORMS],
    ['--upload-pack=touch /tmp/pwned', FORMS],
    ['-u', FORMS],
    ['ssh://-oProxyCommand=id/x', FORMS],
    ['ssh://-l@example.org/x', FORMS],
    ['-oProxyCommand=id@example.org:x', FORMS],
    ['git@-oProxyCommand=id:x', FORMS],
    ['git@example.org:-x', FORMS],
    ['ext::sh -c id', FORMS],
    ['fd::3', FORMS],
    ['git://example.org/x', FORMS],
    ['ftp://example.org/x', FORMS],
    ['HTTPS://example.org/x', FORMS],
    ['file://example.org/x', FORMS],
    ['./x', FORMS],
    ['x', FORMS],
    ['C:\\x', FORMS],
    ['/srv/x\n', FORMS],
    ['https://example.org/x\0', FORMS],
  ])('is not %j, of which no word is repeated', (uri, fault) => {
    expect(complaints({ uri })).toEqual([`uri ${fault}`]);
  });

  test.each([
    ['https://example.org/team/x.git', 'https'],
    ['https://example.org:8443/x', 'https'],
    ['http://[::1]:3000/x', 'http'],
    ['ssh://example.org/x', 'ssh'],
    ['ssh://git@example.org:2222/~team/x', 'ssh'],
    ['git@example.org:team/x.git', 'ssh'],
    ['git@10.0.0.1:/srv/x', 'ssh'],
    ['file:///srv/x', 'file'],
    ['/srv/config repository', 'file'],
  ])('may be %s, reached by %s', (uri, transport) => {
    expect(complaints({ uri })).toEqual([]);
    expect(gitTransportOf(uri)).toBe(transport);
  });
});

describe('the settings of git', () => {
  const uri = 'https://example.org/x';

  test.each([
    ['../other', 'may hold no name that begins with a dot'],
    ['eu/.git', 'may hold no name that begins with a dot'],
    ['{name}', `may hold no backslash, and no placeholders but ${PLACEHOLDERS}`],
  ])('may not hold the search path %j, and name it', (path, fault) => {
    const searchPaths = ['/eu', '*/gps', path, '{application}/{profile}-{label}', '.'];
    expect(complaints({ uri, searchPaths })).toEqual([`search-paths "${path}" ${fault}`]);
  });

  test.each<[string, Partial<GitSettings>, string[]]>([
    ['no address', {}, ['uri is required by the backend git']],
    [
      'a password that all can hear',
      { uri: 'http://example.org/x', username: 'u', password: PASSWORD },
      ['uri must be https where there is a password'],
    ],
    [
      'a password for a name that DNS may lead anywhere',
      { uri: 'http://git.localhost/x', username: 'u', password: PASSWORD },
      ['uri must be https where there is a password'],
    ],
    [
      'a password without a user',
      { uri, password: PASSWORD },
      ['username is required with config-server.git.password'],
    ],
    [
      'a user without a password',
      { uri, username: 'u' },
      ['password is required with config-server.git.username'],
    ],
    [
      'a password of two lines',
      { uri, username: 'u', password: new Secret('a\nhost=b') },
      ['password may hold no control characters'],
    ],
    [
      'a password for ssh',
      { uri: 'git@example.org:x', username: 'u', password: PASSWORD },
      ['password is for https alone'],
    ],
    [
      'further repositories with faults, which are named together',
      { uri, repos: { a: {}, b: { pattern: ['*'] } } },
      ['repos "a" needs a uri; "b" needs a uri'],
    ],
    ['a key in a relative place', { uri, privateKeyFile: 'key' }, [`private-key-file ${PATH}`]],
    ['what a shell takes apart', { uri, privateKeyFile: '/a;id' }, [`private-key-file ${PATH}`]],
    ['what ssh takes apart', { uri, knownHostsFile: '/a b%h' }, [`known-hosts-file ${PATH}`]],
    [
      'a short secret',
      { uri, webhookSecret: new Secret('fifteen letters') },
      ['webhook-secret must have at least 16 characters'],
    ],
    [
      'a short token',
      { uri, webhookToken: new Secret('fifteen letters') },
      ['webhook-token must have at least 16 characters'],
    ],
    [
      'a password for no proxy',
      { uri, proxyUsername: 'u', proxyPassword: PASSWORD },
      ['proxy.uri is required with the other settings of the proxy'],
    ],
    [
      'exceptions of no proxy',
      { uri, proxyExceptions: ['example.org'] },
      ['proxy.uri is required with the other settings of the proxy'],
    ],
    [
      'a user of a proxy without a password',
      { uri, proxyUri: PROXY, proxyUsername: 'u' },
      ['proxy.password is required with config-server.git.proxy.username'],
    ],
    [
      'a password of a proxy that is decoded twice',
      { uri, proxyUri: PROXY, proxyUsername: 'u', proxyPassword: new Secret('100%af') },
      [
        'proxy.password may hold no % before two hexadecimal digits, which some releases of curl decode',
      ],
    ],
    [
      'an exception that is no host',
      { uri, proxyUri: PROXY, proxyExceptions: ['a', '*.example.org'] },
      ['proxy.no-proxy "*.example.org" is no name or address of a host'],
    ],
  ])('may not hold %s', (_what, given, expected) => {
    expect(complaints(given)).toEqual(expected);
  });

  test.each<[string, Partial<GitSettings>]>([
    ['a user and a password', { uri, username: 'u', password: PASSWORD }],
    [
      'a password that stays on this machine',
      { uri: 'http://127.0.0.1:3000/x', username: 'u', password: PASSWORD },
    ],
    ['files for ssh', { uri, privateKeyFile: '/etc/a-b/key', knownHostsFile: '/etc/known_hosts' }],
    ['a secret', { uri, webhookSecret: new Secret('sixteen letters!') }],
    ['an empty secret', { uri, webhookSecret: new Secret('') }],
    ['a proxy', { uri, proxyUri: PROXY, proxyExceptions: ['.example.org', '10.0.0.1', '::1'] }],
    [
      'a proxy with a password',
      { uri, proxyUri: PROXY, proxyUsername: 'u', proxyPassword: PASSWORD },
    ],
  ])('may hold %s', (_what, given) => {
    expect(complaints(given)).toEqual([]);
  });

  test.each([
    'proxy:3128',
    'http://proxy',
    'http://u:s3cret@proxy:3128',
    'http://proxy:3128/x',
    'http://proxy:99999',
    'socks5://proxy:1080',
    'http://-x:3128',
  ])('may not name the proxy %s, of which no word is repeated', (proxyUri) => {
    const fault = 'must be http://host:port or https://host:port, without user and password';
    expect(complaints({ uri, proxyUri })).toEqual([`proxy.uri ${fault}`]);
  });

  test('need no address where git is no backend', () => {
    expect(complaints({}, ['native'])).toEqual([]);
  });
});
