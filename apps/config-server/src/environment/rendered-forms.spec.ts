import { describe, expect, test } from '@jest/globals';
import type { BackendEnvironment } from '../backends/environment-backend.js';
import type { EnvironmentAddress } from './environment-request.js';
import { Environments } from './environments.js';
import { RenderedForms, type FormName } from './rendered-forms.js';
import { preferredMediaType } from './content-negotiation.js';

const ADDRESS: EnvironmentAddress = {
  name: 'orders',
  profile: 'p',
  applications: ['orders'],
  profiles: ['p'],
  label: undefined,
};

type Values = Readonly<Record<string, string>>;

function answerOf(values: Values): BackendEnvironment {
  const properties = new Map(Object.entries(values).map(([key, value]) => [key, { value }]));
  const sources = [{ name: 'file:orders.properties', properties }];
  return { revision: JSON.stringify(values), version: null, state: null, sources };
}

/** The forms of what a stand-in for a backend answers at the time. */
function formsOf(answer: () => Values): RenderedForms {
  const backend = { name: 'stand-in', find: () => Promise.resolve(answerOf(answer())) };
  const options = { backends: [backend], overrides: undefined, protectedValues: undefined };
  return new RenderedForms(new Environments(options), 1e6);
}

/** One value, and other keys with a placeholder for it. */
function repeating(length: number, times: number): Values {
  const others = Array.from({ length: times }, (_, index) => [`k${index}`, '${b}'] as const);
  return { b: 'x'.repeat(length), ...Object.fromEntries(others) };
}

const outcome = (values: Values, form: FormName): Promise<unknown> =>
  formsOf(() => values)
    .render(ADDRESS, form)
    .catch((error: unknown) => error);

const FLATTENED = ['yml', 'properties', 'json'] as const;

describe('placeholders of more than 4 MiB in total', () => {
  test.each([
    ['of one value', repeating(200_000, 2400)],
    ['of many', repeating(200_000, 21)],
    ['of nested ones', doubling(30)],
  ])('are rejected quickly, with the name of the source: %s', async (_what, values) => {
    for (const form of FLATTENED) {
      expect(await outcome(values, form)).toMatchObject({
        code: 'SOURCE_MALFORMED',
        message: expect.stringMatching(/^file:orders\.properties: .+ more than 4 MiB$/),
      });
    }
  });

  test.each(['environment', 'raw-yml'] as const)('do not affect the form %s', async (form) => {
    expect(await outcome(repeating(200_000, 21), form)).toHaveProperty('body');
  });
});

test('placeholders of less are resolved', async () => {
  const { body } = await formsOf(() => repeating(200_000, 20)).render(ADDRESS, 'properties');
  expect(body.length).toBeGreaterThan(21 * 200_000);
});

describe('until an answer of the backend changes, rendered once is', () => {
  test.each([...FLATTENED, 'environment', 'origins', 'raw-json'] as const)(
    'the form %s',
    async (form) => {
      let values = repeating(3, 3);
      const forms = formsOf(() => values);
      const [first, second] = await Promise.all([1, 2].map(() => forms.render(ADDRESS, form)));
      expect(second).toBe(first);
      expect(await forms.render(ADDRESS, form)).toBe(first);
      values = repeating(3, 4);
      expect(await forms.render(ADDRESS, form)).not.toEqual(first);
    },
  );

  test('the error', async () => {
    let values = repeating(200_000, 2400);
    const forms = formsOf(() => values);
    const error: unknown = await forms.render(ADDRESS, 'yml').catch((reason: unknown) => reason);
    await expect(forms.render(ADDRESS, 'yml')).rejects.toBe(error);
    values = repeating(1, 1);
    expect(await forms.render(ADDRESS, 'yml')).toHaveProperty('body');
  });

  test.each([
    { ...ADDRESS, name: 'a,b' },
    { ...ADDRESS, profile: 'dev' },
    { ...ADDRESS, label: 'main' },
  ])('the form of that address alone: %j', async (address) => {
    const forms = formsOf(() => ({}));
    const [first, other] = [ADDRESS, address].map((each) => forms.render(each, 'environment'));
    expect(await other).not.toEqual(await first);
  });
});

/** Each value is the next one twice. */
function doubling(count: number): Values {
  const keys = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(keys.map((key) => [`k${key}`, `\${k${key + 1}}`.repeat(2)]));
}

const V2 = 'application/vnd.v2+json';

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json', 'application/json'],
  [V2, V2],
  ['APPLICATION/VND.V2+JSON', V2],
  [`${V2}, application/json`, 'application/json'],
  [`application/json;q=0.5, ${V2}`, V2],
  ['application/json;q=0.5, */*;q=0.1', 'application/json'],
  ['application/json;q=0, */*', V2],
  [' text/plain , application/json ; q=0.1', 'application/json'],
  ['text/plain', undefined],
  ['application/xml', undefined],
  ['application/json;q=0', undefined],
  ['application/json;q=much', undefined],
  ['', undefined],
  [`${'text/plain,'.repeat(200)}application/json`, undefined],
])('the preferred media type for Accept: %s is %s', (accept, expected) => {
  expect(preferredMediaType(accept, ['application/json', V2])).toBe(expected);
});
