// What is changed in a plain file before it is served, and which are too large for that.
import { describe, expect, test } from '@jest/globals';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import type { EnvironmentAddress } from './environment-path.js';
import { Environments } from './environments.js';
import { PlainFiles, type Treatment } from './plain-files.js';
import { CipherValues } from './cipher-values.js';

const MIB = 1_048_576;
const ADDRESS: EnvironmentAddress = {
  name: 'orders',
  profile: 'prod',
  applications: ['orders'],
  profiles: ['prod'],
  label: undefined,
};

/** Stand-ins for a backend with one file, and for a key ring. */
async function served(
  text: string,
  treatment: Partial<Treatment> = {},
  opensValues = false,
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
  const environments = new Environments({ ...parts, overrides: undefined, capacity: MIB });
  const files = new PlainFiles({
    ...parts,
    environments,
    ...(opensValues && { protectedValues }),
  });
  const { content } = await files.read(ADDRESS, 'etc/x.conf', {
    resolvesPlaceholders: true,
    isRaw: false,
    ...treatment,
  });
  return content.toString('utf8');
}

const filling = '#'.repeat(MIB);

describe('a plain file over 1 MiB', () => {
  test.each<[string, string, boolean]>([
    ['placeholders', '${k}', false],
    ['protected values that are to be opened', '{cipher}x', true],
  ])('is SOURCE_MALFORMED where it has %s', async (_what, text, opensValues) => {
    await expect(served(filling + text, {}, opensValues)).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
      message: expect.stringMatching(/^etc\/x\.conf is larger than 1 MiB/),
    });
  });

  test.each<[string, string, Partial<Treatment>]>([
    ['has neither', '', {}],
    ['is asked for as it is', '${k}', { isRaw: true }],
    ['is asked for with its placeholders', '${k}', { resolvesPlaceholders: false }],
    ['has protected values that stay as they are', '{cipher}x', {}],
  ])('is served where it %s', async (_what, text, treatment) => {
    expect(await served(filling + text, treatment)).toBe(filling + text);
  });
});

describe('a plain file of 1 MiB', () => {
  const least = filling.slice(100);

  test('is served with everything resolved', async () => {
    expect(await served(`${least}\${k}{cipher}x`, {}, true)).toBe(`${least}vx`);
  });

  test('is SOURCE_MALFORMED where its placeholders come to more than 4 MiB', async () => {
    await expect(served('${large}'.repeat(100_000))).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
      message: expect.stringMatching(/4 MiB$/),
    });
  });

  test('is served at once, however its placeholders nest', async () => {
    const nested = '${'.repeat(340_000) + '}'.repeat(340_000);
    const started = performance.now();
    expect(await served(nested)).toBe(nested);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
