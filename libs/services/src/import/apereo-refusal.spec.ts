import { describe, expect, test } from '@jest/globals';
import { access, CAS, map, MINIMAL, readValue, set } from '../../test/apereo-file.js';

describe('a file is refused', () => {
  test.each([
    ['that holds no object', [MINIMAL], 'is not a service'],
    ['without a serviceId', { ...MINIMAL, serviceId: undefined }, 'serviceId must not be empty'],
    ['whose serviceId is no text', { ...MINIMAL, serviceId: 1 }, 'serviceId must be a text'],
    [
      'of unknown kind without a serviceId',
      { '@class': `${CAS}.SomeRegisteredService` },
      'serviceId must not be empty',
    ],
  ])('%s', (_rule, value, refusal) => {
    expect(readValue(value)).toEqual({ refusal, mayClose: expect.any(Boolean) });
  });

  test.each<[string, object, string]>([
    [
      'whose serviceId is no pattern of RE2',
      { serviceId: '^https://(?!a)b/.*' },
      'serviceId is not an RE2 pattern: invalid or unsupported Perl syntax: (?!',
    ],
    ...[
      ['https://[^a-z&&[^q]]+\\.inter\\.example\\.org/.*', '&&'],
      ['https://[^a-z[0-9]]+\\.u\\.example\\.org/.*', '[ in a class'],
      ['https://[[:alpha:]]+\\.example\\.org/.*', '[ in a class'],
      ['(?-i)https://p\\0141y\\.o\\.example\\.org/.*', '\\01'],
      ['https://(a)(b)\\11/', '\\11'],
    ].map(([serviceId, syntax]): [string, object, string] => [
      `whose serviceId means something else in Java: ${serviceId}`,
      { serviceId },
      `serviceId has Java syntax that RE2 reads otherwise: ${syntax}`,
    ]),
    [
      'of unknown kind, whose serviceId means something else in Java',
      { '@class': `${CAS}.SomeRegisteredService`, serviceId: '[^a&&b]' },
      'serviceId has Java syntax that RE2 reads otherwise: &&',
    ],
    [
      'of Ant patterns',
      {
        '@class': 'org.jasig.cas.services.RegisteredServiceImpl',
        serviceId: 'https://ant.example.org/*',
      },
      'serviceId is an Ant pattern, no regular expression: write the file as a RegexRegisteredService',
    ],
    ['whose order is no integer', { evaluationOrder: 1.5 }, 'evaluationOrder must be an integer'],
    [
      'of a partial match, which has more URLs',
      { matchingStrategy: { '@class': `${CAS}.PartialRegexRegisteredServiceMatchingStrategy` } },
      'matchingStrategy is of a kind that is not known here',
    ],
    [
      'of unknown kind, and of a partial match',
      {
        '@class': `${CAS}.SomeRegisteredService`,
        matchingStrategy: { '@class': `${CAS}.PartialRegexRegisteredServiceMatchingStrategy` },
      },
      'matchingStrategy is of a kind that is not known here',
    ],
  ])('%s, with its pattern', (_rule, fields, refusal) => {
    const value = { ...MINIMAL, ...fields };
    expect(readValue(value)).toMatchObject({
      refusal: expect.stringContaining(refusal),
      service: { serviceId: value.serviceId, name: 'a' },
    });
  });
});

const matching = (name: string) => ({
  matchingStrategy: { '@class': `${CAS}.${name}RegisteredServiceMatchingStrategy` },
});
const CLOSED = access({ enabled: false });
const PARTIAL = '.*(?:^https://a\\.example\\.org/.*).*';

describe('a refused file that closes its URLs has a disabled service for them', () => {
  test.each<[string, object, string | undefined]>([
    ['of a partial match', { ...CLOSED, ...matching('PartialRegex') }, PARTIAL],
    ['of another match', { ...CLOSED, ...matching('Literal') }, MINIMAL.serviceId],
    [
      'that requires attributes',
      { ...access({ requiredAttributes: map({ a: set('x') }) }), ...matching('PartialRegex') },
      PARTIAL,
    ],
    [
      'with a member that is not understood',
      { requiredHandlers: set('x'), ...matching('PartialRegex') },
      PARTIAL,
    ],
    [
      'but none without a pattern that is one anywhere in a URL',
      { ...CLOSED, ...matching('PartialRegex'), serviceId: '\\Qa' },
      undefined,
    ],
    ['but none without a pattern', { ...CLOSED, serviceId: '(' }, undefined],
    ['but none with another meaning in Java', { ...CLOSED, serviceId: '[^a&&b]' }, undefined],
    ['but none without an order', { ...CLOSED, evaluationOrder: 'x' }, undefined],
  ])('%s', (_rule, fields, serviceId) => {
    const read = readValue({ ...MINIMAL, id: 7, ...fields });
    expect(read).toMatchObject({ mayClose: true });
    expect('closing' in read ? read.closing : undefined).toEqual(
      serviceId && {
        importId: '7',
        definition: expect.objectContaining({ serviceId, enabled: false, evaluationOrder: 0 }),
      },
    );
  });

  test('not one that is open to everybody', () => {
    expect(readValue({ ...MINIMAL, ...matching('PartialRegex') })).toMatchObject({
      mayClose: false,
    });
  });
});
