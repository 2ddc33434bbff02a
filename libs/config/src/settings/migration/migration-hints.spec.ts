import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load, violationsOf, type Files } from '../../../../../test/support/settings-directory.js';
import { CoreSettings } from '../core-settings.js';
import { loadSettings } from '../load-settings.js';
import { text } from '../parsers/scalars.js';
import { Setting } from '../setting.js';
import type { SettingsContext } from '../settings-context.js';
import { migrationHintOf } from './migration-hints.js';
import { MIGRATION_ROWS, migrationRowOf } from './migration-rows.js';

class ConfigServerSettings extends CoreSettings {
  @Setting('config-server.git.uri', text) uri = '';
  @Setting('config-server.git.search-paths', text) searchPaths = '';
  @Setting('config-server.vault.app-role.role-id', text) roleId = '';
}

function numbered<T>(length: number, each: (n: number) => T): T[] {
  return Array.from({ length }, (_, n) => each(n));
}

test('the hint for a key with the opposite meaning says so', () => {
  const instead = 'sso.logout.enabled, with the opposite value';
  const hint = migrationHintOf('cas.slo.disabled', (key) => key === 'sso.logout.enabled');
  expect(hint).toEqual({ instead, group: 'cas.slo.disabled' });
});

describe('a key of another server in a file is named', () => {
  test.each<[string, Files, string[]]>([
    [
      'with its line and what is set here, without its value',
      { 'config/sso.yml': 'server:\n  port: 4711' },
      ['server.port (config/sso.yml:2): here it is sso.port'],
    ],
    [
      'however it is spelled',
      { 'config/sso.properties': 'server.servletContext_path=x\nserver.servlet.contextPath=/cas' },
      [
        'server.servlet.contextPath (config/sso.properties:2): here it is sso.base-url',
        'server.servletContext_path (config/sso.properties:1)',
      ],
    ],
    [
      'without advice where nothing is set here',
      { 'config/sso.yml': 'server.portal: 1\ncas: {monitor: {endpoints: [x]}}' },
      ['server.portal (config/sso.yml:1)', 'cas.monitor.endpoints (config/sso.yml:2)'],
    ],
    [
      'without advice that is for the other application',
      { 'config/sso.yml': 'server.address: x\ncas.authn.accept.users: x' },
      [
        'server.address (config/sso.yml:1): here it is sso.host',
        'cas.authn.accept.users (config/sso.yml:2)',
      ],
    ],
    [
      'for elements of lists too',
      { 'config/sso.properties': 'spring.profiles.active[0]=dev' },
      ['spring.profiles.active[0] (config/sso.properties:1): here it is profiles.active'],
    ],
    [
      'once, with the place that would count',
      { 'config/sso.yml': 'server.port: 1', 'config/application.yml': 'x: 1\nserver.port: 2' },
      ['server.port (config/sso.yml:1): here it is sso.port'],
    ],
    [
      'without a value that is in it by mistake',
      { 'config/sso.yml': 'spring: {datasource: {"url=TOPSECRET2": x}}' },
      ['spring.datasource.url… (config/sso.yml:1): here it is database.url'],
    ],
    [
      'behind those that have a counterpart',
      { 'config/sso.properties': 'server.portal=1\ncas.x=1\nserver.port=1' },
      [
        'server.port (config/sso.properties:3): here it is sso.port',
        'server.portal (config/sso.properties:1)',
        'cas.x (config/sso.properties:2)',
      ],
    ],
    [
      'in one line with many of its group',
      {
        'config/sso.properties': [
          ...numbered(6, (n) => `server.tomcat.threads.${n}.Id=TOPSECRET`),
          ...numbered(5, (n) => `server.jetty.${n}=TOPSECRET`),
          ...numbered(6, (n) => `cas.ticket.tgt.k${n}=TOPSECRET`),
          ...numbered(6, (n) => `cas.authn.oidc[${n}].id=TOPSECRET`),
        ].join('\n'),
      },
      [
        'cas.ticket.tgt.* (6 keys, first in config/sso.properties:12): here it is sso.tickets.tgt.*',
        'server.tomcat.threads.* (6 keys, first in config/sso.properties:1)',
        ...numbered(5, (n) => `server.jetty.${n} (config/sso.properties:${n + 7})`),
        'cas.authn.oidc.* (6 keys, first in config/sso.properties:18)',
      ],
    ],
    [
      'however many there are',
      { 'config/sso.yml': numbered(153, (n) => `server.x${n}: 1`).join('\n') },
      numbered(153, (n) => `server.x${n} (config/sso.yml:${n + 1})`),
    ],
    [
      'also in a section that this server has',
      {
        'config/sso.properties':
          'logging.config=classpath:log4j2.xml\nlogging.file.path=/var/log\nlogging.level.org.apereo=TRACE',
      },
      ['logging.config (config/sso.properties:1)', 'logging.file.path (config/sso.properties:2)'],
    ],
  ])('%s', async (_rule, files, lines) => {
    expect((await load(files)).unusedKeys).toEqual(lines);
  });
});

describe('a variable of another config server is named', () => {
  test.each<[string, Readonly<Record<string, string>>, string[]]>([
    [
      'without its value, however its hyphens are written',
      {
        SPRING_CLOUD_CONFIG_SERVER_GIT_SEARCHPATHS: 'TOPSECRET',
        SPRING_CLOUD_CONFIG_SERVER_GIT_SEARCH_PATHS: 'TOPSECRET',
      },
      [
        'SPRING_CLOUD_CONFIG_SERVER_GIT_SEARCHPATHS (environment): here it is config-server.git.search-paths',
        'SPRING_CLOUD_CONFIG_SERVER_GIT_SEARCH_PATHS (environment): here it is config-server.git.search-paths',
      ],
    ],
    [
      'in small letters',
      { spring_cloud_config_server_git_uri: 'x' },
      ['spring_cloud_config_server_git_uri (environment): here it is config-server.git.uri'],
    ],
    [
      'with what is set for its group',
      { SPRING_CLOUD_CONFIG_SERVER_VAULT_APPROLE_ROLEID: 'x' },
      [
        'SPRING_CLOUD_CONFIG_SERVER_VAULT_APPROLE_ROLEID (environment): here it is config-server.vault.app-role.role-id',
      ],
    ],
    [
      'in one line with many of its group',
      Object.fromEntries(
        numbered(6, (n) => [`SPRING_CLOUD_CONFIG_SERVER_GIT_REPOS_TEAM${n}_URI`, 'x']),
      ),
      ['spring.cloud.config.server.git.repos.* (6 keys, first in environment)'],
    ],
    ['only from its server on', { SPRING_CLOUD_CONFIG_SERVERS: 'x', SPRING_CLOUD_CONFIG: 'x' }, []],
    ['and no other variable', { SERVER_PORT: '1', SPRING_DATASOURCE_URL: 'x', ENCRYPT_X: 'x' }, []],
  ])('%s', async (_rule, env, lines) => {
    const context = { application: 'config-server', argv: [], env, directory: '/nonexistent' };
    expect((await loadSettings(ConfigServerSettings, context)).unusedKeys).toEqual(lines);
  });
});

class DirectorySettings extends CoreSettings {
  @Setting('sso.authentication.ldap.urls', text) urls = '';
  @Setting('sso.authentication.ldap.directories', text) directories = '';
  @Setting('sso.authentication.ldap.timeout', text) timeout = '';
  @Setting('sso.authentication.attributes-from', text) attributesFrom = '';
  @Setting('sso.authentication.attributes-merge', text) merge = '';
  @Setting('sso.authentication.sql.query', text) query = '';
}

test('keys of several directories are named one by one, whatever their index', async () => {
  const keys = [
    'cas.authn.ldap[0].name',
    'cas.authn.ldap[12].ldapUrl',
    'cas.authn.ldap[0].response-timeout',
    'cas.authn.ldap[0].allow-missing-dn',
    'cas.authn.attribute-repository.ldap[1].ldap-url',
    'cas.authn.attribute-repository.jdbc[1].sql',
    'cas.authn.attribute-repository.jdbc[1].attributes.uid',
    'cas.authn.attribute-repository.core.merger',
  ];
  const argv = keys.map((key) => `--${key}=x`);
  const context = { application: 'sso', argv, env: {}, directory: '/nonexistent' };
  const prefix = 'is not a known setting; did you mean sso.authentication.';
  await expect(loadSettings(DirectorySettings, context)).rejects.toMatchObject({
    lines: [
      'ldap.directories',
      'ldap.urls',
      'ldap.timeout',
      'ldap.*',
      'attributes-from',
      'sql.query',
      'sql.*',
      'attributes-merge',
    ].map((key, index) => `${keys[index]}: ${prefix}${key}? (command line)`),
  });
});

class SourceSettings extends CoreSettings {
  @Setting('sso.config-server.url', text) url = '';
  @Setting('vault.uri', text) uri = '';
  @Setting('vault.token', text) token = '';
  @Setting('vault.app-role.role-id', text) roleId = '';
}

test('keys and variables of the places that settings come from are named', async () => {
  const env = {
    SPRING_CLOUD_VAULT_TOKEN: 'TOPSECRET',
    SPRING_CLOUD_VAULT_APPROLE_ROLEID: 'TOPSECRET',
    SPRING_CLOUD_CONFIG_URI: 'x',
    CAS_STANDALONE_CONFIGURATIONSECURITY_PSW: 'TOPSECRET',
    SPRING_CLOUD_VAULT: 'x',
  };
  const file = 'spring.config.import=x\nspring.cloud.vault.authentication=APPROLE';
  const directory = await mkdtemp(join(tmpdir(), 'settings-'));
  await writeFile(join(directory, 'sso.properties'), file);
  const argv = ['--settings.location=.'];
  const context = { application: 'sso', argv, env, directory, credentialDirectories: [] };
  const { unusedKeys } = await loadSettings(SourceSettings, context);
  await rm(directory, { recursive: true });
  expect(unusedKeys).toEqual([
    'SPRING_CLOUD_VAULT_TOKEN (environment): here it is vault.token',
    'SPRING_CLOUD_VAULT_APPROLE_ROLEID (environment): here it is vault.app-role.*',
    'SPRING_CLOUD_CONFIG_URI (environment): here it is sso.config-server.url',
    'CAS_STANDALONE_CONFIGURATIONSECURITY_PSW (environment): here it is sso.standalone.security.*',
    'spring.config.import (sso.properties:1): here it is sso.config-server.url or vault.uri',
    'spring.cloud.vault.authentication (sso.properties:2): here it is vault.token or vault.app-role.*',
  ]);
});

describe('nothing is said of', () => {
  test.each<[string, Files, Partial<SettingsContext>]>([
    ['settings of ours', { 'config/sso.yml': 'sso.port: 1\nlogging.level.root: info' }, {}],
    ['keys of no server', { 'config/sso.yml': 'serverless: 1\nspring: {x: 1}\norders: 1' }, {}],
    [
      'the server of the other application',
      { 'config/application.yml': 'spring.cloud.config.server.git.uri: x' },
      {},
    ],
    [
      'variables that may be of another program',
      {},
      { env: { SERVER_PORT: '1', CAS_SERVER_NAME: 'x', SPRING_CONFIG_IMPORT: 'x' } },
    ],
    [
      'a variable of the server of the other application',
      {},
      { env: { SPRING_CLOUD_CONFIG_SERVER_GIT_URI: 'x' } },
    ],
  ])('%s', async (_rule, files, context) => {
    expect((await load(files, context)).unusedKeys).toEqual([]);
  });
});

test('on the command line a key of another server is an error that knows ours', async () => {
  expect(await violationsOf({}, { argv: ['--server.port=1', '--server.x=1'] })).toEqual([
    'server.port: is not a known setting; did you mean sso.port? (command line)',
    'server.x: is not a known setting (command line)',
  ]);
});

describe('the rows of the table', () => {
  test('name keys and groups that there are', async () => {
    const page = await readFile('docs/configuration.md', 'utf8');
    const documented = [...page.matchAll(/^\| `([a-z][^`]+)` +\|/gm)].map(([, key = '']) => key);
    const advised = MIGRATION_ROWS.flatMap(({ here }) => here.map((key) => key.replace(/,.*/, '')));
    const unknown = advised.filter((key) =>
      key.endsWith('.*')
        ? !documented.some((each) => each.startsWith(key.slice(0, -1)))
        : key.includes('.') && !documented.includes(key),
    );
    expect(unknown).toEqual([]);
  });

  test('say what users notice where there is no counterpart', () => {
    const silent = MIGRATION_ROWS.filter(
      ({ here, consequence, safeguard }) => here.length === 0 && !consequence && !safeguard,
    );
    expect(silent).toEqual([]);
  });

  test('are each found by a key below them', () => {
    const hidden = MIGRATION_ROWS.filter(({ there, here }) => {
      const isForSso = here.every((key) => !key.startsWith('config-server'));
      return migrationRowOf(there, isForSso ? 'sso' : 'config-server')?.there !== there;
    }).filter(
      ({ here, consequence }) => consequence !== undefined || here.some((key) => key.includes('.')),
    );
    expect(hidden.map(({ there }) => there)).toEqual([]);
  });

  test.each([
    ['cas.authn.ldap[3].ldapUrl', 'cas.authn.ldap.ldap-url'],
    ['CAS.AUTHN.LDAP[0].BASE_DN', 'cas.authn.ldap.base-dn'],
    ['cas.ticket.tgt.timeToKillInSeconds', 'cas.ticket.tgt.time-to-kill-in-seconds'],
    ['cas.authn.policy.any.try-all', 'cas.authn.policy.any'],
    ['cas.authn.policy.all.enabled', 'cas.authn.policy'],
    ['cas.nothing.like.it', 'cas'],
    ['orders.size', undefined],
  ])('%s belongs to the row %s', (key, there) => {
    expect(migrationRowOf(key, 'sso')?.there).toBe(there);
  });
});
