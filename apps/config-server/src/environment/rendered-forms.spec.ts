import { describe, expect, test } from '@jest/globals';
import type { Environment } from './environments.js';
import { RenderedForms, type FormName } from './rendered-forms.js';

function environmentOf(properties: Readonly<Record<string, string>>): Environment {
  const entries = Object.entries(properties).map(([key, value]) => [key, { value }] as const);
  const sources = [{ name: 'file:orders.properties', properties: new Map(entries) }];
  return { name: 'orders', profile: 'p', label: undefined, version: null, state: null, sources };
}

/** One value, and other keys with a placeholder for it. */
function repeating(length: number, times: number): Environment {
  const others = Array.from({ length: times }, (_, index) => [`k${index}`, '${b}'] as const);
  return environmentOf({ b: 'x'.repeat(length), ...Object.fromEntries(others) });
}

function outcome(forms: RenderedForms, environment: Environment, form: FormName): unknown {
  try {
    return forms.render(environment, form);
  } catch (error) {
    return error;
  }
}

/** Generous, for a busy machine. */
const MAX_DURATION_MS = 20_000;
const FLATTENED = ['yml', 'properties', 'json'] as const;

describe('placeholders of more than 4 MiB in total', () => {
  test.each([
    ['of one value', repeating(200_000, 2400)],
    ['of many', repeating(200_000, 21)],
    ['of nested ones', environmentOf(doubling(30))],
  ])('are rejected quickly, with the name of the source: %s', (_what, environment) => {
    const started = performance.now();
    for (const form of FLATTENED) {
      expect(outcome(new RenderedForms(1e6), environment, form)).toMatchObject({
        code: 'SOURCE_MALFORMED',
        message: expect.stringMatching(/^file:orders\.properties: .+ more than 4 MiB$/),
      });
    }
    expect(performance.now() - started).toBeLessThan(MAX_DURATION_MS);
  });

  test('are rejected once', () => {
    const [forms, environment] = [new RenderedForms(1e6), repeating(200_000, 2400)];
    const first = outcome(forms, environment, 'yml');
    expect(outcome(forms, environment, 'yml')).toBe(first);
    expect(outcome(forms, repeating(1, 1), 'yml')).toHaveProperty('body');
  });

  test.each(['environment', 'raw-yml'] as const)('do not affect the form %s', (form) => {
    expect(outcome(new RenderedForms(1e6), repeating(200_000, 21), form)).toHaveProperty('body');
  });
});

test('placeholders of less are resolved', () => {
  const { body } = new RenderedForms(1e6).render(repeating(200_000, 20), 'properties');
  expect(body.length).toBeGreaterThan(21 * 200_000);
});

test.each([...FLATTENED, 'environment', 'origins', 'raw-json'] as const)(
  'the form %s of an environment is rendered once',
  (form) => {
    const [forms, environment] = [new RenderedForms(1e6), repeating(3, 3)];
    expect(forms.render(environment, form)).toBe(forms.render(environment, form));
    expect(forms.render(repeating(3, 4), form)).not.toBe(forms.render(environment, form));
  },
);

/** Each value is the next one twice. */
function doubling(count: number): Readonly<Record<string, string>> {
  const keys = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(keys.map((key) => [`k${key}`, `\${k${key + 1}}`.repeat(2)]));
}
