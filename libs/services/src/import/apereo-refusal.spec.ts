import { describe, expect, test } from '@jest/globals';
import { CAS, MINIMAL, readValue } from '../../test/apereo-file.js';

describe('a file is refused', () => {
  test.each([
    ['that holds no object', [MINIMAL], 'is not a service'],
    ['without a serviceId', { ...MINIMAL, serviceId: undefined }, 'serviceId must not be empty'],
    ['whose serviceId is no text', { ...MINIMAL, serviceId: 1 }, 'serviceId must be a text'],
    [
      'of unknown kind without a serviceId',
      { '@class': `${CAS}.SamlRegisteredService` },
      'serviceId must not be empty',
    ],
  ])('%s', (_rule, value, refusal) => {
    expect(readValue(value)).toEqual({ refusal });
  });

  test.each<[string, object, string]>([
    [
      'whose serviceId is no pattern of RE2',
      { serviceId: '^https://(?!a)b/.*' },
      'serviceId is not an RE2 pattern: invalid or unsupported Perl syntax: (?!',
    ],
    ...[
      ['https://[a-z&&[^q]]+\\.inter\\.example\\.org/.*', '&&'],
      ['https://[a-z[0-9]]+\\.u\\.example\\.org/.*', '[ in a class'],
      ['https://[[:alpha:]]+\\.example\\.org/.*', '[ in a class'],
      ['https://p\\0141y\\.o\\.example\\.org/.*', '\\01'],
      ['https://(a)(b)\\11/', '\\11'],
    ].map(([serviceId, syntax]): [string, object, string] => [
      `whose serviceId means something else in Java: ${serviceId}`,
      { serviceId },
      `serviceId has Java syntax that RE2 reads otherwise: ${syntax}`,
    ]),
    [
      'of unknown kind, whose serviceId means something else in Java',
      { '@class': `${CAS}.OidcRegisteredService`, serviceId: '[a&&b]' },
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
        '@class': `${CAS}.OidcRegisteredService`,
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
