import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RegisteredServiceEntity, SERVICE_DEFAULTS, ServiceStore } from '@tessera/services';
import { runTessera, TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';

const PATTERN = 'https://a\\.example\\.org/.*';

let database: TestDatabase;
let store: ServiceStore;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  store = new ServiceStore(database.dataSource);
  directory = await mkdtemp(join(tmpdir(), 'tessera-cli-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});
beforeEach(() => database.dataSource.query('delete from registered_service'));

function tessera(...args: readonly string[]) {
  const settings = [`--database.url=${database.url}`, `--settings.location=${directory}`];
  return runTessera(['service', ...args, ...settings]);
}

async function file(name: string, fields: object): Promise<string> {
  const path = join(directory, name);
  const service = {
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: PATTERN,
    name: 'a',
    ...fields,
  };
  await writeFile(path, JSON.stringify(service));
  return path;
}

describe('faults end with 1 and one line that names them', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['add: no name', ['add', PATTERN], /required option '--name <name>'/],
    ['add: no pattern', ['add', '--name', 'a'], /missing required argument 'pattern'/],
    ['add: no pattern of RE2', ['add', '(', '--name', 'a'], /^tessera: serviceId is not an RE2/],
    [
      'add: several at once',
      ['add', '(', '--name', '', '--order', 'x'],
      /name must.*evaluationOrder must.*serviceId is/,
    ],
    [
      'add: an order that is none',
      ['add', PATTERN, '--name', 'a', '--order', '1.5'],
      /evaluationOrder/,
    ],
    [
      'add: an odd requirement',
      ['add', PATTERN, '--name', 'a', '--require', 'x'],
      /--require is written name=value, not x/,
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
      'add: two kinds of name',
      ['add', PATTERN, '--name', 'a', '--anonymous', '--username-attribute', 'x'],
      /cannot be used with/,
    ],
    [
      'add: an unknown logout',
      ['add', PATTERN, '--name', 'a', '--logout', 'x'],
      /logoutType must be/,
    ],
    ['remove: an unknown id', ['remove', '4711'], /^tessera: there is no service "4711"/],
    ['remove: an id that is none', ['remove', 'x'], /^tessera: there is no service "x"/],
    ['import: nothing there', ['import', '/nowhere'], /^tessera: cannot read \/nowhere \(ENOENT\)/],
  ])('%s', async (_what, args, problem) => {
    const { exitCode, stdout, stderr } = await tessera(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(problem);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await store.list()).toEqual([]);
  });

  test.each([
    ['a pattern', ['add', '(\u001b[2J', '--name', 'a']],
    ['an attribute', ['add', PATTERN, '--name', 'a', '--require', '\u001b]0;x\u0007\u202e']],
    ['an id', ['remove', '\u001b[2J\u009b']],
    ['a path', ['import', '/no\u001b[2J']],
  ])('control characters in %s do not reach the terminal', async (_what, args) => {
    const { stderr } = await tessera(...args);
    expect(stderr).toMatch(/^tessera: .*\n$/);
    expect(stderr).not.toMatch(TERMINAL_CONTROLS);
  });
});

describe('add', () => {
  test('stores a service with the defaults, and prints its number', async () => {
    const { exitCode, stdout } = await tessera('add', PATTERN, '--name', 'a');
    expect(exitCode).toBe(0);
    expect(await store.find(stdout.trim())).toMatchObject({
      ...SERVICE_DEFAULTS,
      serviceId: PATTERN,
      name: 'a',
    });
  });

  test.each<[readonly string[], object]>([
    [['--description', 'd'], { description: 'd' }],
    [['--order', '-5'], { evaluationOrder: -5 }],
    [['--disabled', '--no-sso'], { enabled: false, ssoEnabled: false }],
    [
      ['--require', 'memberOf=a', '--require', 'memberOf=b=c', '--require', 'site=x'],
      { requiredAttributes: { memberOf: ['a', 'b=c'], site: ['x'] } },
    ],
    [['--release-all'], { attributeRelease: { kind: 'all' } }],
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
    [['--property', 'dialect=apereo'], { properties: { dialect: 'apereo' } }],
  ])('%j', async (options, fields) => {
    const { stdout, stderr } = await tessera('add', PATTERN, '--name', 'a', ...options);
    expect(stderr).toBe('');
    expect(await store.find(stdout.trim())).toMatchObject(fields);
  });
});

describe('list', () => {
  test('shows services in the order in which they are tried', async () => {
    const b = await store.add({ serviceId: 'https://b/', name: 'b', evaluationOrder: 9 });
    const a = await store.add({
      serviceId: 'https://a/',
      name: 'a',
      evaluationOrder: 5,
      enabled: false,
      attributeRelease: { kind: 'allowed', names: ['x', 'y'] },
    });
    const { stdout } = await tessera('list');
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      ['ID', 'ORDER', 'STATE', 'NAME', 'RELEASES', 'PATTERN'],
      [a.id, '5', 'disabled', 'a', '2 allowed', 'https://a/'],
      [b.id, '9', 'enabled', 'b', 'none', 'https://b/'],
      [''],
    ]);
  });

  test('as JSON, shows all but the salt', async () => {
    const { pseudonymSalt, ...shown } = await store.add({ serviceId: PATTERN, name: 'a' });
    const { stdout } = await tessera('list', '--json');
    expect(JSON.parse(stdout)).toEqual([shown]);
    expect(stdout).not.toContain(pseudonymSalt);
  });

  test.each([[[]], [['--json']]])(
    'control characters that came in by hand do not reach the terminal %j',
    async (options) => {
      await database.dataSource.query(
        'insert into registered_service (service_id, name) values ($1, $1)',
        ['a\u001b[2J\u009b\u202e\nb'],
      );
      const { stdout } = await tessera('list', ...options);
      expect(stdout).not.toMatch(TERMINAL_CONTROLS);
      if (options.length > 0) {
        expect(JSON.parse(stdout)).toMatchObject([{ name: 'a\u001b[2J\u009b\u202e\nb' }]);
      }
    },
  );
});

test('remove removes one service', async () => {
  const [a, b] = [
    await store.add({ serviceId: PATTERN, name: 'a' }),
    await store.add({ serviceId: PATTERN, name: 'b' }),
  ];
  expect(await tessera('remove', a.id)).toMatchObject({ exitCode: 0, stdout: `removed ${a.id}\n` });
  expect(await store.list()).toEqual([b]);
});

describe('import', () => {
  test('reports what became of each file', async () => {
    const path = await file('good.json', { theme: 'x' });
    expect(await tessera('import', path)).toEqual({
      exitCode: 0,
      stdout:
        'good.json: added "a"\n' +
        '  note: theme has no effect: it is for pages and people\n' +
        '  taken: serviceId, name\n' +
        '1 added\n',
      stderr: '',
    });
    expect(await store.list()).toHaveLength(1);
  });

  test('ends with 1 where a service is disabled for what is not understood', async () => {
    const path = await file('odd.json', { requiredHandlers: ['x'] });
    const { exitCode, stdout, stderr } = await tessera('import', path);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/odd.json: added "a", disabled for what is not understood\n/);
    expect(stdout).toMatch(/ {2}not understood: requiredHandlers is not understood\n/);
    expect(stderr).toBe('tessera: not everything was imported: see the report\n');
    expect(await store.list()).toMatchObject([{ enabled: false }]);
  });

  describe('of a directory with a refused file', () => {
    const REPORT = [
      'pay.json: refused, serviceId is not an RE2 pattern: invalid or unsupported Perl syntax: (?!',
      '  without it, https://pay.example.org/x belongs to "a" (enabled, order 0, pattern ^https://.*)',
      '  write the exception as a service of its own, in another file:',
      String.raw`  {"@class":"org.apereo.cas.services.RegexRegisteredService","serviceId":"^https://pay\\.example\\.org/public/.*","name":"Pay: exception","evaluationOrder":-6,"accessStrategy":{"@class":"org.apereo.cas.services.DefaultRegisteredServiceAccessStrategy","enabled":false}}`,
      String.raw`  and in this file: "serviceId": "^https://pay\\.example\\.org/.*"`,
    ];
    const PAY = {
      serviceId: '^https://pay\\.example\\.org/(?!public/).*',
      name: 'Pay',
      evaluationOrder: -5,
    };
    let path: string;

    beforeAll(async () => {
      path = join(directory, 'refused');
      await mkdir(path);
      await file('refused/broad.json', { serviceId: '^https://.*' });
      await file('refused/pay.json', PAY);
    });

    test.each([[[]], [['--dry-run']]])(
      'nothing is written, and it ends with 1 %j',
      async (args) => {
        expect(await tessera('import', path, ...args)).toEqual({
          exitCode: 1,
          stdout: [
            'broad.json: would be added "a"',
            '  taken: serviceId, name',
            ...REPORT,
            '1 added, 1 refused; nothing was written\n',
          ].join('\n'),
          stderr:
            'tessera: nothing was imported: correct the refused files, ' +
            'or import the others with --skip-unreadable\n',
        });
        expect(await store.list()).toEqual([]);
      },
    );

    test('the other files are imported with --skip-unreadable, and it ends with 1', async () => {
      expect(await tessera('import', path, '--skip-unreadable')).toEqual({
        exitCode: 1,
        stdout: [
          'broad.json: added "a"',
          '  taken: serviceId, name',
          ...REPORT,
          '1 added, 1 refused\n',
        ].join('\n'),
        stderr: 'tessera: not everything was imported: see the report\n',
      });
      expect(await store.list()).toMatchObject([{ serviceId: '^https://.*' }]);
    });

    test('the guide is named where the pattern cannot be split', async () => {
      const { stdout } = await tessera('import', await file('ref.json', { serviceId: '(a)\\1' }));
      expect(stdout).toBe(
        'ref.json: refused, serviceId is not an RE2 pattern: invalid escape sequence: \\1\n' +
          '  without it, no service was found for a\n' +
          '  docs/migration.md, "Patterns with look-ahead", shows how to write it\n' +
          '1 refused; nothing was written\n',
      );
    });
  });

  test('a dry run writes nothing', async () => {
    const path = await file('dry.json', {});
    const { exitCode, stdout } = await tessera('import', path, '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^dry.json: added "a"\n[^]*; a dry run: nothing was written\n$/);
    expect(await store.list()).toEqual([]);
  });

  test('control characters in a file do not reach the terminal', async () => {
    const path = await file('esc.json', { name: '\u001b[2J', '\u001b[31m\u202e': 1 });
    const { stdout, stderr } = await tessera('import', path);
    expect(stdout + stderr).not.toMatch(TERMINAL_CONTROLS);
  });
});
