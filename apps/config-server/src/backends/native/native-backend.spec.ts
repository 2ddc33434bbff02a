import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { BackendError } from '../backend-error.js';
import {
  describeBackend,
  propertiesFile,
  queryOf,
  type BackendUnderTest,
  type StoredProperties,
} from '../environment-backend.conformance.js';
import { NativeBackend } from './native-backend.js';

describeBackend('native', async (): Promise<BackendUnderTest> => {
  const folder = await makeFolder();
  const location = join(folder, 'config');
  const written = join(folder, 'written');
  await mkdir(location);
  let names: string[] = [];
  return {
    backend: new NativeBackend({ location, searchPaths: ['.'] }),
    change: async (stored: readonly StoredProperties[]) => {
      const files = stored.map(propertiesFile);
      for (const [name, text] of files) {
        await writeFile(written, text);
        await rename(written, join(location, name));
      }
      const current = new Set(files.map(([name]) => name));
      for (const name of names.filter((each) => !current.has(each))) await rm(join(location, name));
      names = [...current];
    },
    break: () => rename(location, `${location}.away`),
    repair: () => rename(`${location}.away`, location),
    close: () => removeFolder(folder),
  };
});

describe('the directory backend', () => {
  let location: string;
  let backend: NativeBackend;

  beforeAll(async () => {
    location = await makeFolder();
    await mkdir(join(location, 'feature/x'), { recursive: true });
    await mkdir(join(location, 'teams'));
    const files = {
      'orders.yml': 'k: 0\n---\nk: 1\n',
      'orders-prod.properties': 'k=prod\n',
      'feature/x/orders.yml': 'k: 0\n---\nk: 1\n',
      'teams/orders.yml': 'k: team\n',
      'motd.txt': 'hello\n',
      'motd-prod.txt': 'hello, prod\n',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(location, name), text);
    const searchPaths = ['.', 'teams', './{label}'];
    backend = new NativeBackend({ location, searchPaths });
  });
  afterAll(() => removeFolder(location));

  test('has neither version nor state, and takes any label', async () => {
    const known = { version: null, state: null };
    expect(await backend.find(queryOf('orders', 'prod'))).toMatchObject(known);
    expect(await backend.find(queryOf('orders', 'prod', 'nosuch'))).toMatchObject(known);
  });

  test('names sources as Spring does, by paths from its own root', async () => {
    const { sources } = await backend.find(queryOf('orders', 'prod', 'feature/x'));
    expect(sources.map((source) => source.name)).toEqual([
      'file:orders-prod.properties',
      "Config resource 'file [feature/x/orders.yml]' via location 'file:./feature/x/' (document #1)",
      "Config resource 'file [feature/x/orders.yml]' via location 'file:./feature/x/' (document #0)",
      'file:teams/orders.yml',
      "Config resource 'file [orders.yml]' via location 'file:./' (document #1)",
      "Config resource 'file [orders.yml]' via location 'file:./' (document #0)",
    ]);
  });

  test.each([
    ['of the profile', 'prod', 'hello, prod\n'],
    ['of no profile', 'dev', 'hello\n'],
  ])('gives plain files %s, with the time they were modified', async (_what, profile, content) => {
    const file = await backend.readFile({ ...queryOf('orders', profile), path: 'motd.txt' });
    expect(file?.content.toString()).toBe(content);
    expect(Math.abs(Date.now() - Number(file?.modified))).toBeLessThan(60_000);
  });

  test('is whole or BACKEND_UNAVAILABLE where the directory goes away meanwhile', async () => {
    const away = `${location}.away`;
    for (let steps = 0; steps < 60; steps += 1) {
      const asked = backend.find(queryOf('orders', 'dev')).catch((error: unknown) => error);
      for (let step = 0; step < steps; step += 1) await lstat(location);
      await rename(location, away);
      const answer = await asked;
      await rename(away, location);
      if (!(answer instanceof BackendError)) expect(answer).toHaveProperty('sources.length', 3);
    }
  });

  test('is BACKEND_UNAVAILABLE for plain files too', async () => {
    const nowhere = new NativeBackend({ location: join(location, 'nosuch'), searchPaths: ['.'] });
    const asked = nowhere.readFile({ ...queryOf('orders', 'dev'), path: 'motd.txt' });
    await expect(asked).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  });
});
