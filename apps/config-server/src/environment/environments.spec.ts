import { describe, expect, test } from '@jest/globals';
import { BackendError } from '../backends/backend-error.js';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  PropertySource,
} from '../backends/environment-backend.js';
import type { EnvironmentAddress } from './environment-request.js';
import { Environments, overridesSource, type Environment } from './environments.js';

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

function find(
  backends: readonly EnvironmentBackend[],
  overrides?: PropertySource,
): Promise<Environment> {
  const environments = new Environments({ backends, overrides, protectedValues: undefined });
  return environments.find(ADDRESS).then((found) => environments.assemble(found));
}

describe('an environment', () => {
  test('of one backend has its version and state', async () => {
    const found = await find([backendOf(answerOf('a', '1', 'commit'))]);
    expect(found).toMatchObject({ name: 'orders', profile: 'prod', version: 'commit', state: '' });
  });

  test('of several has the sources of the first backend first, and no version', async () => {
    const backends = [backendOf(answerOf('a', '1', 'commit')), backendOf(answerOf('b', '2'))];
    const { sources, version, state } = await find(backends);
    expect(sources.map(({ name }) => name)).toEqual(['a', 'b']);
    expect([version, state]).toEqual([null, null]);
  });

  test('of none is empty', async () => {
    expect((await find([])).sources).toEqual([]);
  });

  test.each([0, 1])('is never incomplete: backend %i fails', async (failing) => {
    const error = BackendError.unavailable('stand-in');
    const backends = [0, 1].map((index) =>
      backendOf(index === failing ? error : answerOf('a', String(index))),
    );
    await expect(find(backends)).rejects.toBe(error);
  });

  test('has overrides first, unchanged except for their backslashes', async () => {
    const overrides = overridesSource({ k: '\\${x} ${y}', l: '{cipher}x' });
    const { sources } = await find([backendOf(answerOf('a', '1'))], overrides);
    expect(sources.map(({ name }) => name)).toEqual(['overrides', 'a']);
    expect([...(sources[0]?.properties ?? [])]).toEqual([
      ['k', { value: '${x} ${y}' }],
      ['l', { value: '{cipher}x' }],
    ]);
    expect(overridesSource({})).toBeUndefined();
  });
});
