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
    ['$P$B123456789012345678901234567890', /^is an MD5 hash of phpass/],
    ['md5$salt$5f4dcc3b5aa765d61d8327deb882cf99', /^is an MD5 or SHA hash of Django/],
    ['unsalted_md5$$5f4dcc3b5aa765d61d8327deb882cf99', /^is an MD5 or SHA hash of Django/],
    ['5f4dcc3b5aa765d61d8327deb882cf99', /^is an MD5 or NT hash without salt/],
    ['5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8', /^is a SHA hash without salt/],
    ['0123456789abcdef'.repeat(4), /^is a SHA hash without salt/],
    ['0123456789abcdef'.repeat(8), /^is a SHA hash without salt/],
    ['*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19', /^is a SHA hash of MySQL/],
    ['{CRYPT}$y$j9T$salt$digest', /^is a yescrypt hash/],
    ['$argon2d$v=19$m=8,t=1,p=1$c2FsdA$x', /^is an argon2d hash/],
    ['argon2$argon2d$v=19$m=8,t=1,p=1$c2FsdA$x', /^is an argon2d hash/],
    ['$argon2id$v=16$m=8,t=1,p=1$c2FsdA$x', /^is a hash of an old version of argon2/],
    ['$argon2i$m=8,t=1,p=1$c2FsdA$x', /^is a hash of an old version of argon2/],
    ['bcrypt_sha256$$2b$12$x', /^is bcrypt of a SHA-256 digest/],
    ['$bcrypt-sha256$v=2,t=2b,r=12$x$y', /^is bcrypt of a SHA-256 digest/],
    ['{PBKDF2_SHA256}AAAIAA', /^is the old PBKDF2 hash of 389 Directory Server/],
    ['$argon2id$v=19$m=4194304,t=1,p=1$c2FsdA$x', /^is a hash of argon2 that is damaged or/],
    ['{ARGON2}$argon2id$v=19$', /^is a hash of argon2 that is damaged or costs more/],
    ['argon2$argon2i$v=19$', /^is a hash of argon2 that is damaged or costs more/],
    ['$2b$99$x', /^is a hash of bcrypt that is damaged or costs more/],
    ['bcrypt$$2b$99$x', /^is a hash of bcrypt that is damaged or costs more/],
    ['{CRYPT}$6$rounds=999999999$x', /^is a hash of SHA-crypt that is damaged or costs more/],
    ['$scrypt$ln=40', /^is a hash of scrypt that is damaged or costs more/],
    ['scrypt$1$', /^is a hash of scrypt that is damaged or costs more/],
    ['pbkdf2_sha256$99999999$x', /^is a hash of PBKDF2 that is damaged or costs more/],
    ['$pbkdf2$99999999$x$y', /^is a hash of PBKDF2 that is damaged or costs more/],
    ['$pbkdf2-sha512$i=99999999$x$y', /^is a hash of PBKDF2 that is damaged or costs more/],
    ['{PBKDF2-SHA256}99999999$x$y', /^is a hash of PBKDF2 that is damaged or costs more/],
    ['{SSHA}x', /^is a hash of salted SHA that is damaged or costs more/],
    ['{PBKDF2}10000:x', /^is of no kind that docs.users.md lists/],
    ['$pbkdf2-md5$1000$x$y', /^is of no kind that docs.users.md lists/],
    ['hunter2', /^is of no kind that docs.users.md lists/],
  ])('%s: names the kind and the remedy, and quotes nothing', (hash, kind) => {
    expect(unusableHash(hash)).toMatch(kind);
    expect(unusableHash(hash)).toMatch(/put the hash of a new password in its place/);
    expect(unusableHash(hash)).not.toContain(hash);
  });
});
