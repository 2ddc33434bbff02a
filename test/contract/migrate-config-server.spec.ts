// `tessera migrate` on the settings of a Spring config server: the application accepts those that it writes.
import { expect, test } from '@jest/globals';
import { loadSettings } from '@tessera/config';
import { PasswordHashing } from '@tessera/crypto';
import { ConfigServerSettings } from '../../apps/config-server/src/settings/config-server-settings.js';
import { oldServerSuite, type OldFiles } from '../support/old-server.js';

const old = oldServerSuite();

async function settingsOf(): Promise<ConfigServerSettings> {
  const argv = [`--settings.location=${old.into}`, '--profiles.active=production'];
  const place = { argv, env: {}, directory: '/', credentialDirectories: [] };
  const context = { application: 'config-server', ...place };
  return (await loadSettings(ConfigServerSettings, context)).settings;
}

const USER = 'spring.security.user: { name: reader, password: s3cret }\n';

test.each<[string, OldFiles, object]>([
  [
    'git, with repositories by pattern and a key store',
    {
      'application.yml': `${USER}server.port: 8889
spring.cloud.config.server:
  encrypt.enabled: true
  overrides: { region: eu, "my.key": x }
  git:
    uri: https://git.example.org/config.git
    default-label: main
    search-paths: ['{application}', 'shared/*']
    refresh-rate: 30
    timeout: 10
    username: robot
    password: tok
    basedir: file:/var/lib/config
    force-pull: true
    repos:
      team: { uri: 'https://git.example.org/team.git', pattern: ['team-*/prod', 'x'] }
      simple: https://git.example.org/simple.git`,
      'bootstrap.yml': `encrypt.keyStore: { location: 'file:/etc/keys.p12', password: store, alias: one }`,
    },
    {
      port: 8889,
      backends: ['git'],
      git: {
        uri: 'https://git.example.org/config.git',
        searchPaths: ['{application}', 'shared/*'],
        refresh: 30_000,
        timeout: 10_000,
        cloneDirectory: '/var/lib/config',
        repos: {
          team: { uri: 'https://git.example.org/team.git', pattern: ['team-*/prod', 'x'] },
          simple: { uri: 'https://git.example.org/simple.git' },
        },
      },
      environment: { overrides: { region: 'eu', 'my.key': 'x' } },
      encryption: { storeLocation: 'file:/etc/keys.p12', storeAlias: 'one' },
    },
  ],
  [
    'native, with several locations and a password',
    {
      'config/application.properties': `spring.security.user.name=reader
spring.security.user.password={noop}s3cret
encrypt.key=a-long-password
spring.cloud.config.server.native.search-locations=file:/srv/config/,file:/srv/config/{application}`,
    },
    {
      backends: ['native'],
      native: { location: '/srv/config', searchPaths: ['.', '{application}'] },
    },
  ],
  [
    'a composite of Vault and git',
    {
      'src/main/resources/application.yml': `${USER}spring.cloud.config.server.composite:
  - { type: vault, host: vault.example.org, scheme: https, port: 8200, token: tok, kvVersion: 2 }
  - { type: git, uri: 'https://git.example.org/config.git', searchPaths: shared }
  - { type: svn, uri: 'https://svn.example.org' }`,
    },
    {
      backends: ['vault', 'git'],
      vault: { uri: 'https://vault.example.org:8200' },
      git: { searchPaths: ['shared'] },
    },
  ],
])('%s', async (_kind, files, settings) => {
  await old.write(files);
  const report = await old.report();
  expect(report.application).toBe('config-server');
  const read = await settingsOf();
  expect(read).toMatchObject(settings);
  const hash = read.clients.entries['reader']?.['password-hash']?.[0] ?? '';
  expect(await new PasswordHashing().verify(hash, 's3cret')).toBe(true);
  expect(await old.read('config-server.yml')).not.toContain('s3cret');
});

test('what a config server has besides is in the report', async () => {
  await old.write({
    'application.yml': `spring.cloud.config.server:
  git: { uri: 'https://git.example.org/a.git', clone-on-start: true, proxy: { https: { host: proxy } } }
  health.enabled: false
  aws: { region: x }
spring.application.name: configuration
management.endpoints.web.exposure.include: health`,
  });
  const { left, next } = await old.report();
  expect(
    Object.fromEntries(left.map(({ key, note }) => [key.replace(/^.*server\./, ''), note])),
  ).toEqual({
    'git.clone-on-start': 'every fetch follows the repository, and the clone is made at the start',
    'git.proxy.https.host': 'set config-server.git.proxy.*',
    'health.enabled': 'health does not ask the backends',
    'aws.region': 'unknown',
    'spring.application.name': 'set application.name, in the environment or on the command line',
    'management.endpoints.web.exposure.include':
      'health and metrics have other paths: docs/metrics.md',
  });
  expect(next).toContain('set config-server.clients: the programs that may read');
});
