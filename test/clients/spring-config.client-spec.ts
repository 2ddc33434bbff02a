// A Spring Boot application reads its properties from our config server, and reports our errors.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PasswordHashing, sha256 } from '@tessera/crypto';
import { makeFolder, removeFolder } from '../support/folders.js';
import { keyStoreVectors } from '../support/key-stores.js';
import { endPrograms } from '../support/process.js';
import { INSTALL_TIMEOUT_MS, isSkipped } from './installation.js';
import {
  sampleFiles,
  serveFiles,
  serveGit,
  serveSample,
  type RunningConfigServer,
  type RunningGitServer,
} from './running-config-server.js';
import { DEFAULT, PROD, prodSources, UNREADABLE, UNREADABLE_IN_PROD } from './sample-properties.js';
import {
  SPRING_CONFIG,
  startSpringConfigProgram,
  type SpringConfigProgram,
} from './spring-config-program.js';

const PASSWORD = 'Mellon & <Moria>';
const KEY = [`--encrypt.key=${PASSWORD}`, '--encrypt.salt=cafe'];
const RAW = '--config-server.encrypt.enabled=false';

const FAIL_FAST = 'org.springframework.cloud.config.client.ConfigClientFailFastException';

const thrown = (kind: string, message: unknown): unknown => ({
  thrown: expect.arrayContaining([{ class: kind, message }]),
});

const describeIfInstalled = isSkipped(SPRING_CONFIG) ? describe.skip : describe;

describeIfInstalled('a Spring Boot application', () => {
  let program: SpringConfigProgram;
  const start = (url: string, ...args: readonly string[]): ReturnType<typeof program.call> =>
    program.call([
      `--spring.config.import=configserver:${url}`,
      '--spring.cloud.config.fail-fast=true',
      '--spring.application.name=orders',
      '--path=here',
      ...args,
    ]);
  const inProd = (url: string, ...args: readonly string[]): ReturnType<typeof start> =>
    start(url, '--spring.profiles.active=prod', ...args);

  beforeAll(async () => {
    program = await startSpringConfigProgram();
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => program?.stop());
  afterAll(endPrograms);

  describe('of a server that decrypts', () => {
    let server: RunningConfigServer;
    beforeAll(async () => {
      server = await serveSample([...KEY, '--encrypt.format=aes-gcm']);
    });
    afterAll(() => server?.stop());

    test('reads plain values, those for its profile before the others', async () => {
      expect(await inProd(server.url)).toEqual({
        version: '',
        sources: prodSources(
          (file) => `file:${file}`,
          (document) =>
            `Config resource 'file [orders.yml]' via location 'file:./' (document #${document})`,
        ),
        properties: { ...PROD, ...UNREADABLE_IN_PROD },
      });
    });

    test.each([
      ['no profile', '', DEFAULT, UNREADABLE],
      ['a profile of which nothing is known', 'test', DEFAULT, UNREADABLE],
      ['several profiles', 'prod,test', PROD, UNREADABLE_IN_PROD],
    ])('with %s, reads what is for it', async (_title, profiles, properties, unreadable) => {
      const outcome = await start(server.url, `--spring.profiles.active=${profiles}`);
      expect(outcome).toMatchObject({ properties: { ...properties, ...unreadable } });
    });
  });

  test.each([
    ['no profile', '', { ...DEFAULT, 'order-limit': '1', ref: '1 items', greeting: 'orders!' }],
    ['a profile', 'prod', PROD],
  ])(
    'with %s, reads overrides after what is for its profile',
    async (_title, profile, properties) => {
      const server = await serveSample([
        ...KEY,
        `--config-server.overrides=${JSON.stringify({ 'order-limit': '1', greeting: '\\${name}!' })}`,
      ]);
      try {
        const outcome = await start(server.url, `--spring.profiles.active=${profile}`);
        expect(outcome).toMatchObject({ properties });
      } finally {
        await server.stop();
      }
    },
  );

  describe('of a server that does not decrypt', () => {
    let server: RunningConfigServer;
    beforeAll(async () => {
      server = await serveSample([...KEY, '--encrypt.format=spring', RAW]);
    });
    afterAll(() => server?.stop());

    const undecryptable = (key: string): unknown =>
      thrown('java.lang.IllegalStateException', `Cannot decrypt: key=${key}`);

    test('does not start without the key', async () => {
      expect(await inProd(server.url)).toEqual(undecryptable('secret'));
    });
    test('does not start over a value that nobody can read', async () => {
      expect(await inProd(server.url, ...KEY)).toEqual(undecryptable('badsecret'));
    });
    test('decrypts by itself with the key', async () => {
      const outcome = await inProd(server.url, ...KEY, '--encrypt.fail-on-error=false');
      expect(outcome).toMatchObject({ properties: { ...PROD, badsecret: '', 'secret.bad': '' } });
    });
  });

  describe('with the key store of a server that does not decrypt', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await makeFolder();
    });
    afterAll(() => removeFolder(folder));

    test.each([
      ['DEFAULT', false],
      ['OAEP', true],
    ])('decrypts by itself: %s, strong %s', async (algorithm, isStrong) => {
      const [store] = keyStoreVectors();
      if (store === undefined) throw new Error('no key store');
      const location = join(folder, 'keys.p12');
      await writeFile(location, store.content, { mode: 0o600 });
      const keys = [
        `--encrypt.key-store.location=file:${location}`,
        `--encrypt.key-store.password=${store.password}`,
        `--encrypt.key-store.alias=${store.keys[1]?.alias}`,
        `--encrypt.rsa.algorithm=${algorithm}`,
        `--encrypt.rsa.strong=${isStrong}`,
        '--encrypt.rsa.salt=cafe',
      ];
      const server = await serveSample([...keys, RAW]);
      try {
        const outcome = await inProd(server.url, ...keys, '--encrypt.fail-on-error=false');
        expect(outcome).toMatchObject({ properties: { ...PROD, badsecret: '' } });
      } finally {
        await server.stop();
      }
    });
  });

  describe('of a repository', () => {
    let server: RunningGitServer;
    beforeAll(async () => {
      server = await serveGit({
        main: { 'orders.yml': 'place: main' },
        'feature/x': { 'orders.yml': 'place: feature/x' },
        sample: await sampleFiles(),
      });
    });
    afterAll(() => server?.stop());

    const label = (name: string, ...args: readonly string[]): ReturnType<typeof start> =>
      start(server.url, `--spring.cloud.config.label=${name}`, ...args);

    test('does not start with a label that is none', async () => {
      expect(await label('nosuch')).toEqual(
        thrown(
          FAIL_FAST,
          'Could not locate PropertySource and the fail fast property is set, failing: None of labels [nosuch] found',
        ),
      );
    });

    test.each([
      ['a branch', 'main', 'main'],
      ['a branch with a slash in its name', 'feature/x', 'feature/x'],
      ['the first label there is', 'nosuch,feature/x,main', 'feature/x'],
      ['the default branch', '', 'main'],
    ])('reads %s', async (_title, name, branch) => {
      expect(await label(name)).toMatchObject({
        version: server.commits[branch],
        properties: { place: branch },
      });
    });

    test('reads a commit', async () => {
      const commit = server.commits['feature/x'] ?? '';
      expect(await label(commit.slice(0, 8))).toMatchObject({
        version: commit,
        properties: { place: 'feature/x' },
      });
    });

    test('reads what is for its profile before the rest', async () => {
      const outcome = await label('sample', '--spring.profiles.active=prod');
      const sources = prodSources(
        (file) => `${server.repository}/${file}`,
        (document) =>
          `${server.repository}/Config resource 'file [orders.yml' via location '' (document #${document})`,
      );
      expect(outcome).toMatchObject({ sources, properties: { 'order-limit': '150' } });
    });
  });

  describe('of a server that knows its clients', () => {
    let server: RunningConfigServer;
    const clients = async () => ({
      orders: {
        'password-hash': await new PasswordHashing().hash('p@ss:wörd/'),
        'token-hash': sha256('token-of-orders'),
        applications: 'orders',
      },
      users: { 'token-hash': sha256('token-of-users'), applications: 'users' },
    });
    beforeAll(async () => {
      server = await serveFiles({ 'orders.yml': 'a: 1' }, [
        `--config-server.clients=${JSON.stringify(await clients())}`,
      ]);
    });
    afterAll(() => server?.stop());

    const bearer = (token: string): readonly string[] => [
      `--spring.cloud.config.headers.authorization=Bearer ${token}`,
    ];
    const basic = (password: string): readonly string[] => [
      '--spring.cloud.config.username=orders',
      `--spring.cloud.config.password=${password}`,
    ];

    test.each([
      ['without credentials', [], 'Unauthorized'],
      ['with a wrong password', basic('mellon'), 'Unauthorized'],
      ['with a wrong token', bearer('mellon'), 'Unauthorized'],
      ["with another application's token", bearer('token-of-users'), 'Forbidden'],
    ])('does not start %s', async (_title, credentials, refusal) => {
      expect(await start(server.url, ...credentials)).toMatchObject({
        thrown: [
          { class: FAIL_FAST },
          { class: `org.springframework.web.client.HttpClientErrorException$${refusal}` },
        ],
      });
    });

    test.each([
      ['a password', basic('p@ss:wörd/')],
      ['a token', bearer('token-of-orders')],
    ])('starts with %s', async (_title, credentials) => {
      expect(await start(server.url, ...credentials)).toMatchObject({ properties: { a: '1' } });
    });

    test('starts with a password in the URL', async () => {
      const url = server.url.replace('//', '//orders:p%40ss%3Aw%C3%B6rd%2F@');
      expect(await start(url)).toMatchObject({ properties: { a: '1' } });
    });
  });
});
