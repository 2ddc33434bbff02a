import { describe, expect, test } from '@jest/globals';
import { registeredService } from '../test/registered-service.js';
import type { RegisteredService } from './registered-service.js';
import { findOvertaken, refuseDuplicate, refuseGlobs } from './service-input-rules.js';

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
  const duplicate: RegisteredService = { ...stored, id: '2' };

  test('refuses the pattern and the order of another service', () => {
    expect(() => refuseDuplicate(duplicate, [stored, duplicate])).toThrow(
      'serviceId and evaluationOrder are those of service 1, "app": change that service, or give another evaluationOrder',
    );
  });

  test('refuses to make a duplicate of a service', () => {
    const before = { ...duplicate, evaluationOrder: 1 };
    expect(() => refuseDuplicate(duplicate, [stored, duplicate], before)).toThrow(
      'those of service 1',
    );
  });

  test('lets a duplicate that was one before be changed', () => {
    const changed = { ...duplicate, name: 'new' };
    expect(() => refuseDuplicate(changed, [stored, changed], duplicate)).not.toThrow();
  });

  test.each<[string, RegisteredService]>([
    ['another pattern', { ...duplicate, serviceId: 'https://b/' }],
    ['another order', { ...duplicate, evaluationOrder: 1 }],
    ['the service itself', stored],
  ])('takes %s', (_, changed) => {
    expect(() => refuseDuplicate(changed, [stored])).not.toThrow();
  });
});

describe('findOvertaken', () => {
  const service = (fields: Partial<RegisteredService>, registeredOverRest = false) => ({
    ...registeredService({ serviceId: 'https://pay\\.corp/.*', evaluationOrder: 5, ...fields }),
    registeredOverRest,
  });
  const added = { id: '9', serviceId: 'https://pay\\.corp/x', evaluationOrder: 4 };

  test.each<[string, Partial<RegisteredService>, ReturnType<typeof service>[], string | undefined]>(
    [
      ['a later service of an operator', {}, [service({ id: '1' })], '1'],
      ['one for a disabled one', { enabled: false, serviceId: '.*' }, [service({ id: '1' })], '1'],
      [
        'one of the same order and a later name',
        { evaluationOrder: 5, name: 'a' },
        [service({ id: '1', name: 'b' })],
        '1',
      ],
      [
        'the first of several',
        {},
        [service({ id: '1', evaluationOrder: 7 }), service({ id: '2' })],
        '2',
      ],
      ['none in front', { evaluationOrder: 6 }, [service({ id: '1' })], undefined],
      [
        'none with other URLs',
        { serviceId: 'https://wiki\\.corp/' },
        [service({ id: '1' })],
        undefined,
      ],
      ['none that a user registered over REST', {}, [service({ id: '1' }, true)], undefined],
    ],
  )('finds %s', async (_, fields, registered, id) => {
    const each = service({ ...added, ...fields }, true);
    expect((await findOvertaken(each, [...registered, each]))?.id).toBe(id);
  });
});
