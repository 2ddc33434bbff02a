import { expect, test } from '@jest/globals';
import { access, map, proxying, readFile, releasing, set } from '../../test/apereo-file.js';

type Row = readonly [file: object, member: string, fields: object, texts: string];

const MEMBERS = 'a character class is written with its members';
const POSSESSIVE =
  'a possessive quantifier is written as a plain one: what follows cannot match earlier';

test.each<readonly [string, ...Row]>([
  [
    'serviceId',
    { serviceId: '^https://[a-z&&[^q]]++\\.example\\.org/.*' },
    'serviceId',
    { serviceId: '^https://[A-PR-Za-pr-z]+\\.example\\.org/.*' },
    `^https://[A-PR-Za-pr-z]+\\.example\\.org/.* in place of ^https://[a-z&&[^q]]++\\.example\\.org/.*: ${MEMBERS}; ${POSSESSIVE}`,
  ],
  [
    'the pattern of a proxy policy',
    proxying('RegexMatching', { pattern: '^https://[^/]++/.*' }),
    'proxyPolicy.pattern',
    { proxyPolicy: { kind: 'pattern', pattern: '^https://[^/]+/.*' } },
    `^https://[^/]+/.* in place of ^https://[^/]++/.*: ${POSSESSIVE}`,
  ],
  [
    'a required value',
    access({ requiredAttributes: map({ group: set('^[a-c&&[^b]]$') }) }),
    'accessStrategy.requiredAttributes.group',
    { requiredAttributes: { group: ['^[ac]$'] } },
    `^[ac]$ in place of ^[a-c&&[^b]]$: ${MEMBERS}`,
  ],
  [
    'a rejected value in any letters',
    access({ caseInsensitive: true, rejectedAttributes: map({ group: set('[a-c&&[^b]]') }) }),
    'accessStrategy.rejectedAttributes.group',
    { rejectedAttributes: { group: ['(?i).*(?:[ACac]).*'] } },
    `[ACac] in place of [a-c&&[^b]]: ${MEMBERS}`,
  ],
  [
    'the pattern of a filter',
    releasing('ReturnAll', {
      attributeFilter: {
        '@class': 'org.apereo.cas.services.support.RegisteredServiceRegexAttributeFilter',
        pattern: 'a++',
      },
    }),
    'attributeReleasePolicy.attributeFilter.pattern',
    { releasedValues: { '*': ['a+'] } },
    `a+ in place of a++: ${POSSESSIVE}`,
  ],
])(
  '%s is written for RE2, with both texts in the report',
  (_rule, ...[file, member, fields, texts]) => {
    const { definition, withoutEffect, notUnderstood } = readFile(file);
    expect(notUnderstood).toEqual([]);
    expect(definition).toMatchObject({ ...fields, enabled: true });
    expect(withoutEffect).toContainEqual({ member, reason: `is stored as ${texts}` });
  },
);
