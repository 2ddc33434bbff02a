import { describe, expect, test } from '@jest/globals';
import { registeredService } from '../test/registered-service.js';
import { refuseDuplicate, refuseGlobs } from './service-input-rules.js';

const GLOB = 'https://x.org/*';
const proxyPolicy = { kind: 'pattern', pattern: GLOB } as const;

describe('refuseGlobs', () => {
  test('names every pattern that is written as a glob', () => {
    expect(() => refuseGlobs({ serviceId: GLOB, proxyPolicy })).toThrow(
      expect.objectContaining({
        code: 'SERVICE_INVALID',
        violations: ['serviceId', 'proxyPolicy'].map((field) => ({
          field,
          reason: `must be a regular expression, and ${GLOB} looks like a glob: did you mean https://x\\.org/.*?`,
        })),
      }),
    );
  });

  test.each([
    ['no pattern', {}, {}],
    ['regular expressions', { serviceId: 'https://x\\.org/.*' }, {}],
    ['a stored pattern', { serviceId: GLOB, proxyPolicy }, { serviceId: GLOB, proxyPolicy }],
  ])('takes %s', (_, given, stored) => {
    expect(() => refuseGlobs(given, stored)).not.toThrow();
  });
});

describe('refuseDuplicate', () => {
  const stored = registeredService();
  const { serviceId, name } = stored;

  test.each([
    ['the default order', { serviceId, name: 'other' }],
    ['the same order', { ...stored, id: '2' }],
  ])('refuses the pattern of a service with %s', (_, service) => {
    expect(() => refuseDuplicate(service, [stored])).toThrow(
      'serviceId and evaluationOrder are those of service 1, "app": change that service, or give another evaluationOrder',
    );
  });

  test.each([
    ['another pattern', { serviceId: 'https://b/', name }],
    ['another order', { serviceId, name, evaluationOrder: 1 }],
  ])('takes %s', (_, service) => {
    expect(() => refuseDuplicate(service, [stored])).not.toThrow();
  });
});
