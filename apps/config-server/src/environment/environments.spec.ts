import { describe, expect, test } from '@jest/globals';
import { BackendError } from '../backends/backend-error.js';
import type { BackendEnvironment, EnvironmentBackend } from '../backends/environment-backend.js';
import type { EnvironmentAddress } from './environment-request.js';
import { Environments, overridesSource, type EnvironmentsOptions } from './environments.js';
import { CipherValues } from './cipher-values.js';

const ADDRESS: EnvironmentAddress = {
  name: 'orders',
  profile: 'prod',
  applications: ['orders'],
  profiles: ['prod'],
  label: undefined,
};

function answerOf(name: string, value: string, version: string | null = null): BackendEnvironment {
  const sources = [{ name, properties: new Map([['k', { value }]]) }];
  return { revision: value, version, state: version && '', sources };
}

/** A fake backend with one answer. */
function backendOf(answer: BackendEnvironment | BackendError): EnvironmentBackend {
  return {
    name: 'stand-in',
    find: () => (answer instanceof BackendError ? Promise.reject(answer) : Promise.resolve(answer)),
  };
}

function environments(
  backends: readonly EnvironmentBackend[],
  options: Partial<EnvironmentsOptions> = {},
): Environments {
  const deerrors = { overrides: undefined, protectedValues: undefined, capacity: 10_000 };
  return new Environments({ backends, ...deerrors, ...options });
}

describe('an environment', () => {
  test('of one backend has its version and state', async () => {
    const found = await environments([backendOf(answerOf('a', '1', 'commit'))]).find(ADDRESS);
    expect(found).toMatchObject({ name: 'orders', profile: 'prod', version: 'commit', state: '' });
  });

  test('of several has the sources of the first backend first, and no version', async () => {
    const backends = [backendOf(answerOf('a', '1', 'commit')), backendOf(answerOf('b', '2'))];
    const { sources, version, state } = await environments(backends).find(ADDRESS);
    expect(sources.map(({ name }) => name)).toEqual(['a', 'b']);
    expect([version, state]).toEqual([null, null]);
  });

  test('of none is empty', async () => {
    expect((await environments([]).find(ADDRESS)).sources).toEqual([]);
  });

  test.each([0, 1])('is never incomplete: backend %i fails', async (failing) => {
    const error = BackendError.unavailable('stand-in');
    const backends = [0, 1].map((index) =>
      backendOf(index === failing ? error : answerOf('a', String(index))),
    );
    await expect(environments(backends).find(ADDRESS)).rejects.toBe(error);
  });

  test('has overrides first, unchanged except for their backslashes', async () => {
    const overrides = overridesSource({ k: '\\${x} ${y}', l: '{cipher}x' });
    const { sources } = await environments([backendOf(answerOf('a', '1'))], { overrides }).find(
      ADDRESS,
    );
    expect(sources.map(({ name }) => name)).toEqual(['overrides', 'a']);
    expect([...(sources[0]?.properties ?? [])]).toEqual([
      ['k', { value: '${x} ${y}' }],
      ['l', { value: '{cipher}x' }],
    ]);
    expect(overridesSource({})).toBeUndefined();
  });
});

describe('an assembled environment', () => {
  let decryptions = 0;
  const protectedValues = new CipherValues({
    decrypt() {
      decryptions += 1;
      return Promise.resolve(Buffer.from('plain'));
    },
  });

  test('is reused until the answer of a backend changes', async () => {
    let answer = answerOf('a', '{cipher}1');
    const backend = { name: 'stand-in', find: () => Promise.resolve(answer) };
    const subject = environments([backend], { protectedValues });
    const [first, second] = await Promise.all([subject.find(ADDRESS), subject.find(ADDRESS)]);
    expect(second).toBe(first);
    expect(decryptions).toBe(1);
    answer = answerOf('a', '{cipher}2');
    expect(await subject.find(ADDRESS)).not.toBe(first);
    expect(decryptions).toBe(2);
    expect(first.sources[0]?.properties.get('k')).toEqual({
      value: 'plain',
      isLiteral: true,
    });
  });

  test('is known while the answers of the backends are', async () => {
    let known: BackendEnvironment | undefined;
    const answer = answerOf('a', '{cipher}1');
    const backend = {
      name: 'stand-in',
      find: () => Promise.resolve(answer),
      known: () => known,
    };
    const subject = environments([backend], { protectedValues });
    const finding = subject.find(ADDRESS);
    known = answer;
    expect(subject.known(ADDRESS)).toBeUndefined();
    const found = await finding;
    expect(subject.known(ADDRESS)).toBe(found);
    known = { ...answer };
    expect(subject.known(ADDRESS)).toBeUndefined();
    known = undefined;
    expect(subject.known(ADDRESS)).toBeUndefined();
    expect(environments([backendOf(answer)]).known(ADDRESS)).toBeUndefined();
  });

  test('is not known if a backend has no `known` method', async () => {
    const subject = environments([backendOf(answerOf('a', '1'))]);
    await subject.find(ADDRESS);
    expect(subject.known(ADDRESS)).toBeUndefined();
  });

  test.each([
    { ...ADDRESS, name: 'a,b' },
    { ...ADDRESS, profile: 'dev' },
    { ...ADDRESS, label: 'main' },
  ])('is for that address alone: %j', async (address) => {
    const subject = environments([backendOf(answerOf('a', '1'))]);
    await subject.find(ADDRESS);
    const { name, profile, label } = address;
    expect(await subject.find(address)).toMatchObject({ name, profile, label });
  });
});
