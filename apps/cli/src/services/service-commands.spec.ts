import { describe, expect, test } from '@jest/globals';
import { SERVICE_DEFAULTS } from '@tessera/services';
import { TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { serviceCommandSuite } from '../../../../test/support/service-commands.js';

const PATTERN = 'https://a\\.example\\.org/.*';

const suite = serviceCommandSuite();
const tessera = (...args: readonly string[]) => suite.tessera(...args);

describe('add warns where another service gets the URLs', () => {
  test.each([
    [
      'first',
      '7',
      '8',
      /^tessera: service \d+, "all", comes first and gets https:\/\/a\.example\.org\/.*: give an --order below 7 with "tessera service update \d+"\n$/,
    ],
    ['last', '7', '6', /^$/],
  ])('%s', async (_, order, ownOrder, warning) => {
    await tessera('add', 'https://.*', '--name', 'all', '--order', order);
    const added = await tessera('add', PATTERN, '--name', 'a', '--order', ownOrder);
    expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    expect(added.stderr).toMatch(warning);
  });
});

test('add and update warn of a pattern that matches other hosts', async () => {
  const wildcard = 'https://[^/]+\\.example\\.org/.*';
  const warning =
    'tessera: the pattern also matches https://evil.example?x.example.org/x: ' +
    'begin its host with ([a-z0-9-]+\\.)* instead of a wildcard, and end it with /\n';
  const added = await tessera('add', wildcard, '--name', 'w');
  expect(added).toMatchObject({ exitCode: 0, stderr: warning });
  const id = added.stdout.trim();
  expect(await tessera('update', id, '--name', 'v')).toMatchObject({ exitCode: 0, stderr: '' });
  const updated = await tessera('update', id, '--pattern', `${wildcard}x`);
  expect(updated).toMatchObject({ exitCode: 0, stderr: warning.replace('/x:', '/xx:') });
  const closed = await tessera('update', id, '--pattern', 'https://([a-z]+\\.)*example\\.org/.*');
  expect(closed).toMatchObject({ exitCode: 0, stderr: '' });
});

describe('errors end with 1 and one line that names them', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['add: no name', ['add', PATTERN], /required option '--name <name>'/],
    ['add: no pattern', ['add', '--name', 'a'], /missing required argument 'pattern'/],
    [
      'add: several at once',
      ['add', '(', '--name', '', '--order', 'x'],
      /name must.*evaluationOrder must.*serviceId is/,
    ],
    [
      'add: an odd requirement',
      ['add', PATTERN, '--name', 'a', '--require', 'x'],
      /--require is written name=value, not x/,
    ],
    [
      'add: a required value that is no pattern',
      ['add', PATTERN, '--name', 'a', '--require', 'x=(?!a)'],
      /requiredAttributes.x is not an RE2 pattern/,
    ],
    [
      'add: an odd expiry',
      ['add', PATTERN, '--name', 'a', '--expires', 'soon'],
      /expiresAt must be a date/,
    ],
    [
      'add: odd lifetimes',
      ['add', PATTERN, '--name', 'a', '--st-lifetime', '0', '--pt-lifetime', '1m'],
      /serviceTicketLifetime must be an integer, 1 to 3600; proxyTicketLifetime must be/,
    ],
    [
      'add: an odd rejection',
      ['add', PATTERN, '--name', 'a', '--reject', 'x'],
      /--reject is written/,
    ],
    [
      'add: an odd property',
      ['add', PATTERN, '--name', 'a', '--property', '=x'],
      /--property is written/,
    ],
    [
      'add: an unknown dialect',
      ['add', PATTERN, '--name', 'a', '--property', 'dialect=x'],
      /properties.dialect must be/,
    ],
    [
      'add: two kinds of release',
      ['add', PATTERN, '--name', 'a', '--release-all', '--release', 'x'],
      /cannot be used with/,
    ],
    [
      'add: all attributes, and all but one',
      ['add', PATTERN, '--name', 'a', '--release-all', '--release-all-but', 'x'],
      /cannot be used with/,
    ],
    [
      'add: a pseudonym in other letters',
      ['add', PATTERN, '--name', 'a', '--anonymous', '--username-case', 'lower'],
      /cannot be used with/,
    ],
    [
      'add: letters of no kind',
      ['add', PATTERN, '--name', 'a', '--username-case', 'title'],
      /usernameAttribute.letterCase must be lower or upper/,
    ],
    [
      'add: two kinds of name',
      ['add', PATTERN, '--name', 'a', '--anonymous', '--username-attribute', 'x'],
      /cannot be used with/,
    ],
    [
      'add: a glob',
      ['add', 'https://a.example.org/*', '--name', 'a'],
      /^tessera: serviceId .*a glob: did you mean https:\/\/a\\.example\\.org\/\.\*\?$/m,
    ],
    [
      'add: a glob for callbacks',
      ['add', PATTERN, '--name', 'a', '--proxy', 'https://p/*'],
      /^tessera: proxyPolicy .*did you mean https:\/\/p\/\.\*\?/,
    ],
    ['remove: an unknown id', ['remove', '4711'], /^tessera: there is no service "4711"/],
    [
      'remove: a name in place of an id',
      ['remove', 'Wiki'],
      /^tessera: there is no service "Wiki": an id is a number that "tessera service list" shows$/m,
    ],
    ['import: nothing there', ['import', '/nowhere'], /^tessera: \/nowhere does not exist$/m],
  ])('%s', async (_what, args, error) => {
    const { exitCode, stdout, stderr } = await tessera(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(error);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await suite.store.list()).toEqual([]);
  });

  test.each([
    ['a pattern', ['add', '(\u001b[2J', '--name', 'a']],
    ['an attribute', ['add', PATTERN, '--name', 'a', '--require', '\u001b]0;x\u0007\u202e']],
    ['a path', ['import', '/no\u001b[2J']],
  ])('control characters in %s do not reach the terminal', async (_what, args) => {
    const { stderr } = await tessera(...args);
    expect(stderr).toMatch(/^tessera: .*\n$/);
    expect(stderr).not.toMatch(TERMINAL_CONTROLS);
  });
});

describe('add', () => {
  test.each([
    ['another name', ['--name', 'b']],
    ['the default order by number', ['--name', 'a', '--order', '2147483647']],
  ])('refuses a pattern and an order that a service has, with %s', async (_what, options) => {
    const { id } = await suite.store.add({ serviceId: PATTERN, name: 'a' });
    const { exitCode, stdout, stderr } = await tessera('add', PATTERN, ...options);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(
      `tessera: serviceId and evaluationOrder are those of service ${id}, "a": `,
    );
    expect(await suite.store.list()).toHaveLength(1);
  });

  test('an update refuses them, too', async () => {
    await suite.store.add({ serviceId: PATTERN, name: 'a' });
    const { id } = await suite.store.add({ serviceId: 'https://b/', name: 'b' });
    const { exitCode, stderr } = await tessera('update', id, '--pattern', PATTERN);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('tessera: serviceId and evaluationOrder are those of service ');
    expect(await suite.store.find(id)).toMatchObject({ serviceId: 'https://b/' });
  });

  test.each([
    ['another order', PATTERN, ['--order', '5']],
    ['another pattern', 'https://b/', []],
  ])('adds a service of the same name with %s', async (_what, pattern, options) => {
    await suite.store.add({ serviceId: PATTERN, name: 'a' });
    expect(await tessera('add', pattern, '--name', 'a', ...options)).toMatchObject({ stderr: '' });
    expect(await suite.store.list()).toHaveLength(2);
  });

  test('stores a service with the defaults, and prints its number', async () => {
    const { exitCode, stdout } = await tessera('add', PATTERN, '--name', 'a');
    expect(exitCode).toBe(0);
    expect(await suite.store.find(stdout.trim())).toMatchObject({
      ...SERVICE_DEFAULTS,
      serviceId: PATTERN,
      name: 'a',
    });
  });

  test.each<[readonly string[], object]>([
    [['--description', 'd'], { description: 'd' }],
    [['--order', '-5'], { evaluationOrder: -5 }],
    [['--expires', '2027-06-30'], { expiresAt: '2027-06-30T00:00:00.000Z' }],
    [['--expires', 'never'], { expiresAt: null }],
    [['--disabled', '--no-sso'], { enabled: false, ssoEnabled: false }],
    [
      ['--require', 'memberOf=a', '--require', 'memberOf=b=c', '--require', 'site=x'],
      { requiredAttributes: { memberOf: ['a', 'b=c'], site: ['x'] } },
    ],
    [
      ['--require', 'memberOf=cn=(?:hr|it),.*', '--no-require-all', '--reject', 'memberOf=guest.*'],
      {
        requiredAttributes: { memberOf: ['cn=(?:hr|it),.*'] },
        requireAllAttributes: false,
        rejectedAttributes: { memberOf: ['guest.*'] },
      },
    ],
    [['--release-all'], { attributeRelease: { kind: 'all' } }],
    [
      ['--release-all-but', 'cn', '--release-all-but', 'sn'],
      { attributeRelease: { kind: 'all', excluded: ['cn', 'sn'] } },
    ],
    [
      ['--release-values', '*=[a-z]+', '--no-protocol-attributes'],
      { releasedValues: { '*': ['[a-z]+'] }, protocolAttributes: false },
    ],
    [['--no-default-attributes'], { defaultAttributes: false }],
    [
      ['--username-case', 'upper'],
      { usernameAttribute: { kind: 'principal', letterCase: 'upper' } },
    ],
    [
      ['--username-attribute', 'mail', '--username-case', 'lower'],
      { usernameAttribute: { kind: 'attribute', name: 'mail', letterCase: 'lower' } },
    ],
    [
      ['--release', 'mail', '--release', 'cn'],
      { attributeRelease: { kind: 'allowed', names: ['mail', 'cn'] } },
    ],
    [
      ['--release', 'mail', '--release', 'uid=id', '--release', 'uid=number'],
      { attributeRelease: { kind: 'mapped', names: { mail: ['mail'], uid: ['id', 'number'] } } },
    ],
    [['--username-attribute', 'mail'], { usernameAttribute: { kind: 'attribute', name: 'mail' } }],
    [['--anonymous'], { usernameAttribute: { kind: 'anonymous' } }],
    [['--proxy', 'https://p/.*'], { proxyPolicy: { kind: 'pattern', pattern: 'https://p/.*' } }],
    [
      ['--logout', 'front', '--logout-url', 'https://a/out'],
      { logoutType: 'front', logoutUrl: 'https://a/out' },
    ],
    [
      ['--st-lifetime', '5', '--pt-lifetime', '6'],
      { serviceTicketLifetime: 5, proxyTicketLifetime: 6 },
    ],
    [['--refused-url', 'https://a/no'], { unauthorizedRedirectUrl: 'https://a/no' }],
    [['--response', 'post'], { responseType: 'post' }],
    [['--property', 'dialect=apereo'], { properties: { dialect: 'apereo' } }],
  ])('%j', async (options, fields) => {
    const { stdout, stderr } = await tessera('add', PATTERN, '--name', 'a', ...options);
    expect(stderr).toBe('');
    expect(await suite.store.find(stdout.trim())).toMatchObject(fields);
  });
});

test('remove removes one service', async () => {
  const [a, b] = [
    await suite.store.add({ serviceId: PATTERN, name: 'a' }),
    await suite.store.add({ serviceId: PATTERN, name: 'b' }),
  ];
  expect(await tessera('remove', a.id)).toMatchObject({ exitCode: 0, stdout: `removed ${a.id}\n` });
  expect(await suite.store.list()).toEqual([b]);
});
