// How much placeholders may come to, and how often an environment is rendered.
import { describe, expect, test } from '@jest/globals';
import type { Environment } from './environment.js';
import { RenderedForms, type FormName } from './rendered-forms.js';

function environmentOf(properties: Readonly<Record<string, string>>): Environment {
  const entries = Object.entries(properties).map(([key, value]) => [key, { value }] as const);
  const sources = [{ name: 'file:orders.properties', properties: new Map(entries) }];
  return { name: 'orders', profile: 'p', label: undefined, version: null, state: null, sources };
}

/** A value, and so many others that are it. */
function repeating(length: number, times: number): Environment {
  const others = Array.from({ length: times }, (_, index) => [`k${index}`, '${b}'] as const);
  return environmentOf({ b: 'x'.repeat(length), ...Object.fromEntries(others) });
}

function outcome(forms: RenderedForms, environment: Environment, form: FormName): unknown {
  try {
    return forms.of(environment, form);
  } catch (error) {
    return error;
  }
}

/** On a machine that is busy. */
const QUICKLY_MS = 20_000;
const FLATTENED = ['yml', 'properties', 'json'] as const;

describe('placeholders that come to more than 4 MiB in all', () => {
  test.each([
    ['of one value', repeating(200_000, 2400)],
    ['of many', repeating(200_000, 21)],
    ['of each other', environmentOf(doubling(30))],
  ])('are refused with the name of the source, at once: %s', (_what, environment) => {
    const started = performance.now();
    for (const form of FLATTENED) {
      expect(outcome(new RenderedForms(1e6), environment, form)).toMatchObject({
        code: 'SOURCE_MALFORMED',
        message: expect.stringMatching(/^file:orders\.properties: .+ more than 4 MiB$/),
      });
    }
    expect(performance.now() - started).toBeLessThan(QUICKLY_MS);
  });

  test('are refused once', () => {
    const [forms, environment] = [new RenderedForms(1e6), repeating(200_000, 2400)];
    const first = outcome(forms, environment, 'yml');
    expect(outcome(forms, environment, 'yml')).toBe(first);
    expect(outcome(forms, repeating(1, 1), 'yml')).toHaveProperty('body');
  });

  test.each(['environment', 'raw-yml'] as const)('do not matter to the form %s', (form) => {
    expect(outcome(new RenderedForms(1e6), repeating(200_000, 21), form)).toHaveProperty('body');
  });
});

test('placeholders that come to less are resolved', () => {
  const { body } = new RenderedForms(1e6).of(repeating(200_000, 20), 'properties');
  expect(body.length).toBeGreaterThan(21 * 200_000);
});

test.each([...FLATTENED, 'environment', 'origins', 'raw-json'] as const)(
  'the form %s of an environment is rendered once',
  (form) => {
    const [forms, environment] = [new RenderedForms(1e6), repeating(3, 3)];
    expect(forms.of(environment, form)).toBe(forms.of(environment, form));
    expect(forms.of(repeating(3, 4), form)).not.toBe(forms.of(environment, form));
  },
);

/** Each twice what the next is. */
function doubling(count: number): Readonly<Record<string, string>> {
  const keys = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(keys.map((key) => [`k${key}`, `\${k${key + 1}}`.repeat(2)]));
}
