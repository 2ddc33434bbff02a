import { describe, expect, test } from '@jest/globals';
import { unusableHash } from './unusable-hash.js';

describe('unusableHash', () => {
  test.each([
    ['$apr1$salt$qjXMvbEw8oaL.CzflDtaK/', /^is an MD5 hash of Apache \(apr1\)/],
    ['$1$salt$qjXMvbEw8oaL.CzflDtaK/', /^is an MD5 hash, /],
    ['{CRYPT}$1$salt$qjXMvbEw8oaL.CzflDtaK/', /^is an MD5 hash, /],
    ['{MD5}1B2M2Y8AsgTpgAmY7PhCfg==', /^is an MD5 hash, /],
    ['{smd5}1B2M2Y8AsgTpgAmY7PhCfg==', /^is an MD5 hash, /],
    ['{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk=', /^is a SHA hash without salt/],
    ['{SHA256}47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', /^is a SHA hash without salt/],
    ['rqXexS6ZhobKA', /^is a DES crypt hash/],
    ['{CRYPT}rqXexS6ZhobKA', /^is a DES crypt hash/],
    ['!$6$salt$x', /^is not a hash but the mark of a locked account/],
    ['{CRYPT}*', /^is not a hash but the mark of a locked account/],
    ['{SASL}alice@EXAMPLE.ORG', /^is not a hash but points to another server/],
    ['$2b$99$x', /^is damaged, costs too much, or is of no kind/],
    ['hunter2', /^is damaged, costs too much, or is of no kind/],
  ])('%s: names the kind and the way out, and quotes nothing', (hash, kind) => {
    expect(unusableHash(hash)).toMatch(kind);
    expect(unusableHash(hash)).toMatch(/put the hash of a new password in its place/);
    expect(unusableHash(hash)).not.toContain(hash);
  });
});
