// `tessera service import`: its report, its exit code, and what it writes.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { serviceCommandSuite } from '../../../../test/support/service-commands.js';

const PATTERN = 'https://a\\.example\\.org/.*';

const suite = serviceCommandSuite();
const tessera = (...args: readonly string[]) => suite.tessera('import', ...args);

async function file(name: string, fields: object): Promise<string> {
  const path = join(suite.directory, name);
  const service = {
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: PATTERN,
    name: 'a',
    ...fields,
  };
  await writeFile(path, JSON.stringify(service));
  return path;
}

test('reports the outcome of each file', async () => {
  const path = await file('good.json', { theme: 'x' });
  expect(await tessera(path)).toEqual({
    exitCode: 0,
    stdout:
      'good.json: added "a"\n' +
      '  note: theme has no effect: it is for pages and people\n' +
      '  taken: serviceId, name\n' +
      '1 added\n' +
      '1 working, 0 disabled, 0 refused\n',
    stderr: '',
  });
  expect(await suite.store.list()).toHaveLength(1);
});

test('warns of a pattern that matches other hosts', async () => {
  const path = await file('wild.json', { serviceId: 'https://[^/]+\\.example\\.org/.*' });
  expect(await tessera(path)).toMatchObject({
    exitCode: 0,
    stdout:
      'wild.json: added "a"\n' +
      '  warning: serviceId also matches https://evil.example?x.example.org/x\n' +
      '  taken: serviceId, name\n' +
      '1 added\n' +
      '1 working, 0 disabled, 0 refused\n',
  });
});

test('ends with 1 where a service is disabled for what is not understood', async () => {
  const path = await file('odd.json', { requiredHandlers: ['x'] });
  const { exitCode, stdout, stderr } = await tessera(path);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/odd.json: added "a", disabled for what is not understood\n/);
  expect(stdout).toMatch(
    / {2}not understood: requiredHandlers tells handlers of logins apart, which is not done here\n/,
  );
  expect(stderr).toBe('tessera: not everything was imported: see the report\n');
  expect(await suite.store.list()).toMatchObject([{ enabled: false }]);
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
    path = join(suite.directory, 'refused');
    await mkdir(path);
    await file('refused/broad.json', { serviceId: '^https://.*' });
    await file('refused/pay.json', PAY);
  });

  test.each([[[]], [['--dry-run']]])('nothing is written, and it ends with 1 %j', async (args) => {
    expect(await tessera(path, ...args)).toEqual({
      exitCode: 1,
      stdout: [
        'broad.json: would be added "a"',
        '  taken: serviceId, name',
        ...REPORT,
        '1 added, 1 refused; nothing was written',
        '1 working, 0 disabled, 1 refused\n',
      ].join('\n'),
      stderr:
        'tessera: nothing was imported: correct the refused files, ' +
        'or import the others with --skip-unreadable\n',
    });
    expect(await suite.store.list()).toEqual([]);
  });

  test('the other files are imported with --skip-unreadable, and it ends with 1', async () => {
    expect(await tessera(path, '--skip-unreadable')).toEqual({
      exitCode: 1,
      stdout: [
        'broad.json: added "a"',
        '  taken: serviceId, name',
        ...REPORT,
        '1 added, 1 refused',
        '1 working, 0 disabled, 1 refused\n',
      ].join('\n'),
      stderr: 'tessera: not everything was imported: see the report\n',
    });
    expect(await suite.store.list()).toMatchObject([{ serviceId: '^https://.*' }]);
  });

  test('the guide is named where the pattern cannot be split', async () => {
    const { stdout } = await tessera(await file('ref.json', { serviceId: '(a)\\1' }));
    expect(stdout).toBe(
      'ref.json: refused, serviceId is not an RE2 pattern: invalid escape sequence: \\1\n' +
        '  without it, its URLs may belong to another service: no example could be made of its pattern\n' +
        '  docs/migration.md, "Patterns with look-ahead", shows how to write it\n' +
        '1 refused; nothing was written\n' +
        '0 working, 0 disabled, 1 refused\n',
    );
  });
});

test('a dry run writes nothing', async () => {
  const path = await file('dry.json', {});
  const { exitCode, stdout } = await tessera(path, '--dry-run');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^dry.json: would be added "a"\n[^]*; a dry run: nothing was written\n1 working, 0 disabled, 0 refused\n$/,
  );
  expect(await suite.store.list()).toEqual([]);
});

test('control characters in a file do not reach the terminal', async () => {
  const path = await file('esc.json', { name: '\u001b[2J', '\u001b[31m\u202e': 1 });
  const { stdout, stderr } = await tessera(path);
  expect(stdout + stderr).not.toMatch(TERMINAL_CONTROLS);
});

describe('of files of every kind', () => {
  const CAS = 'org.apereo.cas.services';
  let path: string;

  beforeAll(async () => {
    path = join(suite.directory, 'kinds');
    await mkdir(path);
    await file('kinds/1.json', { name: 'works' });
    await file('kinds/2.json', { name: 'odd', requiredHandlers: ['x'], environments: ['x'] });
    await file('kinds/3.json', { name: 'closed', enabled: false });
    const expirationDate = '2020-01-01';
    const kind = `${CAS}.DefaultRegisteredServiceExpirationPolicy`;
    await file('kinds/4.json', {
      name: 'past',
      expirationPolicy: { '@class': kind, expirationDate },
    });
    await file('kinds/5.json', { name: 'saml', '@class': `${CAS}.SamlRegisteredService` });
    await file('kinds/6.json', { serviceId: '(\u001b' });
  });

  test('--summary has one line each, with the first reason', async () => {
    const { exitCode, stdout } = await tessera(path, '--summary', '--dry-run');
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['FILE', 'STATE', 'NAME', 'REASON'],
      ['1.json', 'working', 'works'],
      [
        '2.json',
        'disabled',
        'odd',
        'requiredHandlers tells handlers of logins apart, which is not done here (and 1 more)',
      ],
      ['3.json', 'disabled', 'closed', 'as its file says'],
      ['4.json', 'disabled', 'past', 'as its file says'],
      ['5.json', 'ignored', expect.stringMatching(/^is a definition of SAML/)],
      ['6.json', 'refused', expect.stringMatching(/^serviceId must not contain control/)],
      ['1 ignored, 1 refused, 4 added; nothing was written'],
      ['1 working, 3 disabled, 1 refused, 1 ignored'],
      [''],
    ]);
  });

  test('--json has the counts and the report of each file', async () => {
    const { exitCode, stdout } = await tessera(path, '--json', '--skip-unreadable');
    expect(exitCode).toBe(1);
    expect(stdout).not.toMatch(TERMINAL_CONTROLS);
    expect(JSON.parse(stdout)).toMatchObject({
      written: true,
      counts: { working: 1, disabled: 3, refused: 1, ignored: 1 },
      files: [
        { file: '1.json', outcome: 'added', state: 'working', taken: ['serviceId', 'name'] },
        {
          state: 'disabled',
          notUnderstood: [{ member: 'requiredHandlers' }, { member: 'environments' }],
        },
        { state: 'disabled' },
        { state: 'disabled' },
        { outcome: 'ignored', state: 'ignored' },
        { outcome: 'refused', state: 'refused', advice: expect.any(Array) },
      ],
    });
  });

  test('--json says that nothing was written', async () => {
    const { stdout } = await tessera(path, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ written: false });
    expect(await suite.store.list()).toEqual([]);
  });

  test('--json and --summary exclude each other', async () => {
    const { exitCode, stderr } = await tessera(path, '--json', '--summary');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot be used with')]);
  });
});
