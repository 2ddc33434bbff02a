import { describe, expect, test } from '@jest/globals';
import { errorOfResult, refusalOf } from './result-codes.js';

const windows = (data: string): string =>
  `80090308: LdapErr: DSID-0C0903A9, comment: AcceptSecurityContext error, data ${data}, v1db1`;

describe('a bind', () => {
  test.each([
    [10, 'unknown user'],
    [19, 'account locked'],
    [32, 'unknown user'],
    [34, 'unknown user'],
    [48, 'unusable password hash'],
    [49, 'wrong password'],
    [50, 'login not permitted'],
    [53, 'login not permitted'],
  ])('answered %i refuses: %s', (code, refusal) => {
    expect(refusalOf({ code, message: 'said by the server' })).toBe(refusal);
  });

  test.each([
    ['525', 'unknown user'],
    ['52e', 'wrong password'],
    ['52E', 'wrong password'],
    ['530', 'login not permitted'],
    ['531', 'login not permitted'],
    ['532', 'password expired'],
    ['533', 'account disabled'],
    ['534', 'login not permitted'],
    ['701', 'account expired'],
    ['773', 'password must change'],
    ['775', 'account locked'],
    ['999', 'wrong password'],
  ])('answered 49 with data %s of Active Directory refuses: %s', (data, refusal) => {
    expect(refusalOf({ code: 49, message: windows(data) })).toBe(refusal);
  });

  test.each([
    [49, 0, 'password expired'],
    [49, 1, 'account locked'],
    [49, 7, 'wrong password'],
    [0, 2, 'password must change'],
  ])('answered %i with policy error %i refuses: %s', (code, policyError, refusal) => {
    expect(refusalOf({ code, message: '', policyError })).toBe(refusal);
  });

  test.each([
    ['nothing to add', undefined],
    ['a password that has expired and grace left', 0],
  ])('answered 0 with %s holds', (_what, policyError) => {
    expect(refusalOf({ code: 0, message: windows('52e'), policyError })).toBeUndefined();
  });
});

describe('a result that is not about the user', () => {
  test.each([
    [1, 'LDAP_REFUSED'],
    [2, 'LDAP_REFUSED'],
    [3, 'LDAP_UNAVAILABLE'],
    [7, 'LDAP_REFUSED'],
    [8, 'LDAP_REFUSED'],
    [13, 'LDAP_REFUSED'],
    [14, 'LDAP_REFUSED'],
    [51, 'LDAP_UNAVAILABLE'],
    [52, 'LDAP_UNAVAILABLE'],
    [80, 'LDAP_UNAVAILABLE'],
    [4711, 'LDAP_REFUSED'],
  ])('is an error: %i is %s', (code, error) => {
    expect(() => refusalOf({ code, message: 'said by ldap.internal' })).toThrow(
      expect.objectContaining({ code: error, isTemporary: true }),
    );
  });

  test('keeps the diagnostic message for the log', () => {
    const { message, cause } = errorOfResult(32, 'said by ldap.internal');
    expect(message).not.toContain('ldap.internal');
    expect(cause).toMatchObject({ message: 'LDAP result 32: said by ldap.internal' });
  });
});
