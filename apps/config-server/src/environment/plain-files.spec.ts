import { describe, expect, test } from '@jest/globals';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import type { EnvironmentAddress } from './environment-request.js';
import { Environments } from './environments.js';
import { PlainFiles, type ReadOptions } from './plain-files.js';
import { CipherValues } from './cipher-values.js';

const MIB = 1_048_576;
const ADDRESS: EnvironmentAddress = {
  name: 'orders',
  profile: 'prod',
  applications: ['orders'],
  profiles: ['prod'],
  label: undefined,
};

/** Serves one file of a fake backend, with a fake key ring. */
async function served(
  text: string,
  options: Partial<ReadOptions> = {},
  decrypts = false,
): Promise<string> {
  const properties = new Map([
    ['k', { value: 'v' }],
    ['large', { value: 'x'.repeat(MIB / 4) }],
  ]);
  const backend: EnvironmentBackend = {
    name: 'stand-in',
    find: () =>
      Promise.resolve({
        revision: '1',
        version: null,
        state: null,
        sources: [{ name: 's', properties }],
      }),
    readFile: () => Promise.resolve({ content: Buffer.from(text), modified: new Date(0) }),
  };
  const protectedValues = new CipherValues({
    decrypt: (cipher) => Promise.resolve(Buffer.from(cipher)),
  });
  const parts = { backends: [backend], protectedValues: undefined };
  const environments = new Environments({ ...parts, overrides: undefined });
  const files = new PlainFiles({
    ...parts,
    environments,
    ...(decrypts && { protectedValues }),
  });
  const { content } = await files.read(ADDRESS, 'etc/x.conf', {
    resolvesPlaceholders: true,
    isRaw: false,
    ...options,
  });
  return content.toString('utf8');
}

const filling = '#'.repeat(MIB);

describe('a plain file over 1 MiB', () => {
  test.each<[string, string, boolean]>([
    ['placeholders', '${k}', false],
    ['protected values to decrypt', '{cipher}x', true],
  ])('is SOURCE_MALFORMED if it has %s', async (_what, text, decrypts) => {
    await expect(served(filling + text, {}, decrypts)).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
      message: expect.stringMatching(/^etc\/x\.conf is larger than 1 MiB/),
    });
  });

  test.each<[string, string, Partial<ReadOptions>]>([
    ['has neither', '', {}],
    ['is requested unchanged', '${k}', { isRaw: true }],
    ['is requested with its placeholders', '${k}', { resolvesPlaceholders: false }],
    ['has protected values that stay encrypted', '{cipher}x', {}],
  ])('is served if it %s', async (_what, text, options) => {
    expect(await served(filling + text, options)).toBe(filling + text);
  });
});

describe('a plain file of 1 MiB', () => {
  const least = filling.slice(100);

  test('is served with everything resolved', async () => {
    expect(await served(`${least}\${k}{cipher}x`, {}, true)).toBe(`${least}vx`);
  });

  test('is SOURCE_MALFORMED if its placeholders resolve to more than 4 MiB', async () => {
    await expect(served('${large}'.repeat(100_000))).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
      message: expect.stringMatching(/4 MiB$/),
    });
  });

  test('is served quickly, however deep its placeholders nest', async () => {
    const nested = '${'.repeat(340_000) + '}'.repeat(340_000);
    expect(await served(nested)).toBe(nested);
  });
});
