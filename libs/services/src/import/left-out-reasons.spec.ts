// A report says by name what is not done here, for people who decide about the service.
import { expect, test } from '@jest/globals';
import { access, CAS, map, named, readFile, releasing, set } from '../../test/apereo-file.js';

const policy = (member: string, fields: object): object => ({
  [member]: {
    '@class': `${CAS}.DefaultRegisteredService${member.charAt(0).toUpperCase()}${member.slice(1)}`,
    ...fields,
  },
});
const criteria = (name: string): object =>
  policy('authenticationPolicy', {
    criteria: {
      '@class': `${CAS}.${name}RegisteredServiceAuthenticationPolicyCriteria`,
      tryAll: true,
    },
  });

test.each<[object, string]>([
  [
    policy('multifactorPolicy', { multifactorAuthenticationProviders: set('mfa-duo') }),
    'multifactorPolicy.multifactorAuthenticationProviders asks for a second factor, which is not here',
  ],
  [
    policy('ticketGrantingTicketExpirationPolicy', { maxTimeToLiveInSeconds: 5 }),
    'ticketGrantingTicketExpirationPolicy.maxTimeToLiveInSeconds is not kept: a session that begins at this service lives as sso.tickets.tgt.* says',
  ],
  [
    policy('proxyGrantingTicketExpirationPolicy', { maxTimeToLiveInSeconds: 5 }),
    'proxyGrantingTicketExpirationPolicy.maxTimeToLiveInSeconds is not kept: a proxy-granting ticket lives as long as the session of its user',
  ],
  [
    named('GroovyRegisteredServiceUsernameProvider'),
    `usernameAttributeProvider is a script, which is not run here (${CAS}.GroovyRegisteredServiceUsernameProvider)`,
  ],
  [
    releasing('ReturnMapped', { allowedAttributes: map({ uid: '#{attributes}' }) }),
    'attributeReleasePolicy.allowedAttributes.uid is a script, which is not run here',
  ],
  [
    access({ requiredAttributes: map({ uid: set(`\${sys:x}`) }) }),
    'accessStrategy.requiredAttributes.uid is a script, which is not run here',
  ],
  [
    releasing('ReturnAllowed', { canonicalizationMode: 'LOWER' }),
    'attributeReleasePolicy.canonicalizationMode changes the letters of released values, which is not done here',
  ],
  [
    access({ delegatedAuthenticationPolicy: { exclusive: true } }),
    'accessStrategy.delegatedAuthenticationPolicy admits logins elsewhere alone, which are not here',
  ],
  [
    criteria('All'),
    `authenticationPolicy.criteria is of a kind that is not known here (${CAS}.AllRegisteredServiceAuthenticationPolicyCriteria)`,
  ],
])('%j: %s', (fields, reason) => {
  const { definition, notUnderstood } = readFile(fields);
  expect(notUnderstood.map((note) => `${note.member} ${note.reason}`)).toEqual([reason]);
  expect(definition.enabled).toBe(false);
});

test.each<[string, object, string]>([
  [
    'one handler that accepts is enough',
    criteria('AnyAuthenticationHandler'),
    'authenticationPolicy.criteria has no effect: one handler that accepts is enough',
  ],
  [
    'attributes are cached for hours',
    releasing('ReturnAll', {
      principalAttributesRepository: {
        '@class': `${CAS}.CachingPrincipalAttributesRepository`,
        duration: { '@class': 'javax.cache.expiry.Duration', expiration: 2 },
      },
    }),
    'attributeReleasePolicy.principalAttributesRepository has no effect: the attributes are those of the login',
  ],
])('a service works where %s, which is noted', (_rule, fields, note) => {
  const { definition, withoutEffect } = readFile(fields);
  expect(withoutEffect.map(({ member, reason }) => `${member} ${reason}`)).toEqual([note]);
  expect(definition.enabled).toBe(true);
});
