import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { load, violationsOf } from '../../../../../test/support/settings-directory.js';
import { loadSettings } from '../load-settings.js';
import { CoreSettings } from '../core-settings.js';
import { SAFEGUARDS } from './lost-safeguards.js';

const WEAKER = 'which Tessera does not do: delete it to accept logins without that';

describe('a setting of CAS that makes logins stricter keeps the server from starting', () => {
  test.each([
    ['cas.authn.mfa.global-provider-id=mfa-duo', 'asks for a second factor'],
    ['cas.authn.mfa.triggers.global.global-provider-id=mfa-duo', 'asks for a second factor'],
    ['cas.authn.mfa.globalPrincipalAttributeNameTriggers=memberOf', 'asks for a second factor'],
    ['cas.authn.mfa.duo[0].duo-secret-key=TOPSECRET', 'asks for a second factor'],
    ['cas.authn.adaptive.policy.reject-countries=XX', 'limits who may log in, from where, or when'],
    ['cas.authn.reject.users=ann', 'lists users who may not log in'],
    ['cas.authn.throttle.failure.threshold=3', 'limits failed logins'],
    ['cas.authn.policy.requiredHandlerAuthenticationPolicyEnabled=true', 'demands more of a login'],
    ['cas.authn.ldap[0].password-policy.strategy=GROOVY', 'limits who may log in'],
    ['cas.authn.ldap[1].principalTransformation.blockingPattern=^x', 'limits who may log in'],
    ['cas.authn.ldap[1].credential-criteria=.+@x', 'limits who may log in'],
    ['cas.authn.ldap[0].state=STANDBY', 'is asked only for services that name it'],
    ['cas.authn.core.engine.groovyPreProcessor.location=file:/a.groovy', 'can refuse a login'],
    ['cas.access-strategy.groovy.location=file:/a.groovy', 'limits who may log in'],
    ['cas.interrupt.json.location=file:/i.json', 'can stop a login'],
    ['cas.google-recaptcha.site-key=x', 'keeps programs from the login form'],
    ['cas.sso.sso-enabled=FALSE', 'limits single sign-on'],
  ])('%s', async (line, meaning) => {
    const [violation = '', ...others] = await violationsOf({ 'config/sso.properties': line });
    const [key = ''] = line.split('=');
    expect(others).toEqual([]);
    expect(violation).toMatch(`${key}: ${meaning}`);
    expect(violation).toMatch(`${WEAKER} (config/sso.properties:1)`);
    expect(violation).not.toContain('TOPSECRET');
  });

  test('from a remote source', async () => {
    const value = { key: 'cas.authn.mfa.global-provider-id', value: 'mfa-duo', origin: 'remote' };
    const source = { load: () => Promise.resolve({ values: [value], violations: [] }) };
    const [violation] = await violationsOf({}, { sources: [source] });
    expect(violation).toMatch(`${value.key}: asks for a second factor, ${WEAKER} (remote)`);
  });

  test('in lists of YAML, and in the environment', async () => {
    const file =
      'cas:\n  authn:\n    mfa:\n      duo: [{id: mfa-a}]\n    ldap: [{password-policy: {login-failures: 5}}]';
    const env = { CAS_AUTHN_MFA_GLOBALPROVIDERID: 'mfa-duo' };
    const violations = await violationsOf({ 'config/sso.yml': file }, { env });
    expect(violations.map((each) => each.split(':')[0])).toEqual([
      'CAS_AUTHN_MFA_GLOBALPROVIDERID',
      'cas.authn.mfa.duo[0].id',
      'cas.authn.ldap[0].password-policy.login-failures',
    ]);
  });
});

test.each([
  'cas.authn.mfa.global-provider-id=',
  'cas.authn.mfa.trusted.device-registration-enabled=false',
  'cas.authn.policy.any.try-all=true',
  'cas.authn.ldap[0].passwordPolicy.enabled=true',
  'cas.authn.ldap[1].password-policy.warning-days=30',
  'cas.sso.sso-enabled=true',
  'cas.authn.oidc.core.issuer=x',
  'cas.authn.ldap[0].ldap-url=ldaps://x',
])('what makes no login stricter is only named: %s', async (line) => {
  const { unusedKeys } = await load({ 'config/sso.properties': line });
  expect(unusedKeys).toEqual([expect.stringContaining(line.split('=')[0]!)]);
});

test('such a setting is ignored by an application without logins', async () => {
  const env = { CAS_AUTHN_MFA_GLOBALPROVIDERID: 'mfa-duo' };
  const context = { application: 'config-server', argv: [], env, directory: '/nonexistent' };
  expect((await loadSettings(CoreSettings, context)).unusedKeys).toEqual([]);
});

test('all of them are in docs/migration.md', async () => {
  const page = await readFile('docs/migration.md', 'utf8');
  const documented = new Set([...page.matchAll(/`(cas\.[^`]+)`/g)].map(([, key]) => key));
  expect(SAFEGUARDS.map(({ key }) => key).filter((key) => !documented.has(key))).toEqual([]);
});
