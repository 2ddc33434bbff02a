// The OpenID Connect and OAuth definitions of a university, and the report that a person reads about them.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { ClientSecrets } from '@tessera/services';
import { serviceCommandSuite } from '../../../../test/support/service-commands.js';

const FILES = fileURLToPath(
  new URL('../../../../test/support/university-clients', import.meta.url),
);
const REPORT = fileURLToPath(new URL('university-clients-report.txt', import.meta.url));

const suite = serviceCommandSuite();
const tessera = (...args: readonly string[]) => suite.tessera('import', FILES, ...args);

test.each([
  ['01-moodle.json', 'working'],
  ['02-nextcloud.json', 'working'],
  ['03-gitlab.json', 'working'],
  ['04-library.json', 'working'],
  ['05-any-application.json', 'disabled'],
  ['06-departments.json', 'disabled'],
  ['07-timetable-app.json', 'working'],
  ['08-survey.json', 'working'],
  ['09-student-portal.json', 'disabled'],
  ['10-grades-export.json', 'working'],
  ['11-research-data.json', 'disabled'],
  ['12-staff-wiki.json', 'working'],
])('%s is %s', async (file, state) => {
  const { stdout } = await tessera('--dry-run', '--json');
  const { files } = JSON.parse(stdout) as { files: readonly { file: string; state: string }[] };
  expect(files.find((each) => each.file === file)).toMatchObject({ state });
});

// `UPDATE_REPORT=1 npm test -- <this file>` writes the report anew: read it as its reader would.
test('the report says what each file gives, and what to do', async () => {
  const { stdout } = await tessera('--dry-run');
  if (process.env['UPDATE_REPORT'] === '1') await writeFile(REPORT, stdout);
  expect(stdout).toBe(await readFile(REPORT, 'utf8'));
  expect(stdout).not.toMatch(/not-a-|bm90LW/);
});

test('what works is stored as its file says', async () => {
  expect(await tessera()).toMatchObject({ exitCode: 1 });
  const services = Object.fromEntries((await suite.store.list()).map((each) => [each.name, each]));
  expect(services).toMatchObject({
    Moodle: {
      serviceId: null,
      clientId: 'moodle',
      client: {
        redirectUris: ['https://moodle.uni.example/admin/oauth2callback.php'],
        consent: 'never',
        pkceRequired: false,
        claimsInIdToken: true,
      },
    },
    Nextcloud: {
      client: {
        redirectUris: [
          'https://cloud.uni.example/index.php/apps/user_oidc/code',
          'https://cloud.uni.example/apps/user_oidc/code',
        ],
        accessTokenLifetime: 7_200,
        refreshTokenLifetime: 2_592_000,
      },
    },
    GitLab: { usernameAttribute: { kind: 'attribute', name: 'uid', letterCase: 'lower' } },
    'Library catalogue': {
      logoutType: 'back',
      logoutUrl: 'https://catalogue.uni.example/oidc/logout',
      client: { redirectUriPatterns: [String.raw`https://catalogue\.uni\.example/.*`] },
    },
    'Any application': {
      enabled: false,
      client: { redirectUris: ['https://redirect-uri-unknown.invalid/'] },
    },
    'Timetable app': {
      client: { applicationType: 'native', tokenEndpointAuthMethod: 'none', consent: 'once' },
    },
    Survey: {
      usernameAttribute: { kind: 'anonymous' },
      pseudonymSalt: 'shibboleth:{"sector":"survey.uni.example","salt":"bm90LWEtc2FsdA=="}',
    },
    'Grades export': { client: { grantTypes: ['client_credentials'], redirectUris: [] } },
    'Staff wiki': {
      requiredAttributes: { eduPersonAffiliation: ['^staff$'] },
      client: { redirectUriPatterns: [String.raw`https://wiki\.uni\.example/oauth/.*`] },
    },
  });
  expect(Object.keys(services)).toHaveLength(12);
});

test('the secrets of the files match', async () => {
  await tessera();
  const moodle = (await suite.store.list()).find(({ clientId }) => clientId === 'moodle');
  const secrets = new ClientSecrets(suite.dataSource.manager);
  const isSecret = await secrets.matches(moodle?.id ?? '', 'not-a-secret', async ([hash = '']) =>
    new PasswordHashing().verify(hash, 'not-a-secret'),
  );
  expect(isSecret).toBe(true);
});
