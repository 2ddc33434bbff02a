// The service files of a university, as an Apereo CAS server leaves them, and the report that a person reads about them.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { serviceCommandSuite } from '../../../../test/support/service-commands.js';

const FILES = fileURLToPath(new URL('../../../../test/support/university', import.meta.url));
const REPORT = fileURLToPath(new URL('university-report.txt', import.meta.url));

const suite = serviceCommandSuite();
const tessera = (...args: readonly string[]) => suite.tessera('import', FILES, ...args);

test.each([
  ['01-portal.json', 'working'],
  ['02-any-department.json', 'working'],
  ['03-staff-wiki.json', 'working'],
  ['04-library-proxy.json', 'working'],
  ['05-exams.json', 'working'],
  ['06-helpdesk.json', 'working'],
  ['07-conference.json', 'disabled'],
  ['08-payroll.json', 'disabled'],
  ['09-grades-app.json', 'working'],
  ['10-cloud-storage.json', 'ignored'],
  ['11-intranet.json', 'refused'],
  ['12-mail.json', 'working'],
])('%s is %s', async (file, state) => {
  const { stdout } = await tessera('--dry-run', '--json');
  const { files } = JSON.parse(stdout) as { files: readonly { file: string; state: string }[] };
  expect(files.find((each) => each.file === file)).toMatchObject({ state });
});

// `UPDATE_REPORT=1 npm test -- <this file>` writes the report anew: read it as its reader would.
test('the report says what each file gives, and what to do', async () => {
  const { stdout } = await tessera('--dry-run', '--skip-unreadable');
  if (process.env['UPDATE_REPORT'] === '1') await writeFile(REPORT, stdout);
  expect(stdout).toBe(await readFile(REPORT, 'utf8'));
});

test('what works is stored as its file says', async () => {
  expect(await tessera('--skip-unreadable')).toMatchObject({ exitCode: 1 });
  const services = Object.fromEntries((await suite.store.list()).map((each) => [each.name, each]));
  expect(services).toMatchObject({
    Portal: {
      enabled: true,
      attributeRelease: {
        kind: 'mapped',
        names: { eduPersonAffiliation: ['affiliation'], mail: ['mail', 'email'] },
      },
      logoutType: 'back',
    },
    Departments: { serviceId: '^https://[1-9A-Za-z]+\\.dept\\.uni\\.example/.*' },
    'Staff wiki': {
      requireAllAttributes: false,
      unauthorizedRedirectUrl: 'https://www.uni.example/no-access',
      rejectedAttributes: { accountStatus: ['.*(?:locked).*'] },
    },
    Library: { proxyPolicy: { kind: 'pattern' }, proxyTicketLifetime: 30 },
    Exams: { responseType: 'post', logoutType: 'front', ssoEnabled: false },
    'Help desk': { usernameAttribute: { kind: 'attribute', name: 'mail', letterCase: 'lower' } },
    'Conference 2019': { enabled: true, expiresAt: expect.stringMatching(/^2019-/) },
    Payroll: { enabled: false },
    Mail: { attributeRelease: { kind: 'mapped', names: { mail: ['mail'], uid: ['login'] } } },
  });
  expect(Object.keys(services)).toHaveLength(10);
});
