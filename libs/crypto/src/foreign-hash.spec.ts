import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { foreignPasswordCheck, withoutSchemePrefix } from './foreign-hash.js';
import { PasswordHashing } from './password-hashing.js';

const hashing = new PasswordHashing({ memory: 8, iterations: 1, parallelism: 1 });

const PASSWORD = 'p\u00e4sswort';
/** Cheap hashes of {@link PASSWORD}, one of each format. */
const CHEAP = {
  // crypt(3) of libxcrypt 4.4
  bcrypt: '$2b$04$abcdefghijklmnopqrstuuWPyT3zuK3JxmyXx5UFcdTiysSm3GF5K',
  bcrypt2y: '$2y$04$abcdefghijklmnopqrstuuWPyT3zuK3JxmyXx5UFcdTiysSm3GF5K',
  shaCrypt:
    '$6$rounds=1000$$exANFdSoqY5yDVPwp4W14qEcXbWHi.z2JUBNrJUENyWX9y1kPdep2Iax4egskWNtdke2qeT2peNvbhMObRong/',
  // the argon2 reference implementation, through @node-rs/argon2
  argon2i: '$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$lR8L4FzckXWgbEwcXjERS79r4wQZ1U+3LxhynFkNAeo',
  djangoArgon2:
    'argon2$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$mYZ57wk9vZ+QHLQiwoAYq2bsPUF8feZsSYdb4zDi5YQ',
  // hashlib of Python 3.11; passlib 1.7 gives the same for its own formats
  djangoPbkdf2: 'pbkdf2_sha256$1000$seasalt$38iWi9HiIFaANepJh+2JorvZ/YXdL1J0K/Fup05/Gw8=',
  djangoPbkdf2Sha1: 'pbkdf2_sha1$1000$seasalt$BsmxfRLnAsdGtm8s8M3noPbp/Yg=',
  pbkdf2Sha1:
    '$pbkdf2$i=1000$AAECAwQFBgcICQoLDA0ODw==$3nEcsdHgreZuaBHyfqkqZ13rkGZyV4945h9ubmB1ITuHkwCJm+DQV3xEt3l8ezZA3/IVFHZZqEJDWc5vahZMsA==',
  pbkdf2Sha256:
    '$pbkdf2-sha256$i=1000$AAECAwQFBgcICQoLDA0ODw==$Sxw9FElEGsZqjiw0VjBWrsF1Y10VlNa/GvOZkPRfRdwvCUX2zcujpF9kxSbZRdw9EwWuF/fubvVMx+HDkIQTDA==',
  pbkdf2Sha512:
    '$pbkdf2-sha512$i=1000$AAECAwQFBgcICQoLDA0ODw$QRWpwgb8kq2nuHezX+5Zlr492aCQS8vbGIQ5kElOwOnDNVWXEeH7Py64NjAVWojcHJ6ld/yzA21ZTrC3dryzGA',
  passlibSha1: '$pbkdf2$1000$..8DAwQFBgcICQoLDA0ODw$5FrOgmXTQCHJx.Cu0VGa7RBN2q0',
  passlibSha256:
    '$pbkdf2-sha256$1000$..8AAwQFBgcICQoLDA0ODw$eZKC99mV9mhQCvjgCW/4fxstWZ4kmky.T6LHvbWOTmw',
  passlibSha512:
    '$pbkdf2-sha512$1000$..8AAwQFBgcICQoLDA0ODw$Tl0QDp7lMKuKIIU5Mzp4F5M.QXvlRBcMIw57hAo6s2VE1oeu5xMtx0ZWHROZS74fjSvhF8t594h3Vt/ttzGcnQ',
  ldapPbkdf2: '{PBKDF2}1000$..8oAwQFBgcICQoLDA0ODw$AwamQv3V69GlG2yCmDz.8fl81EE',
  ldapPbkdf2Sha1: '{PBKDF2-SHA1}1000$..9SAwQFBgcICQoLDA0ODw$2Pvfd.v5i3GltiTPM0JLejZiK38',
  ldapPbkdf2Sha256:
    '{PBKDF2-SHA256}1000$..8sAwQFBgcICQoLDA0ODw$2EgcpbW4mtEiiBlFSuVNWbS.1Ugzj83O42boJJHddow',
  ldapPbkdf2Sha512:
    '{PBKDF2-SHA512}1000$..8pAwQFBgcICQoLDA0ODw$e8tWlLRXHr3G8coddsbfn/O0ZA9wdE3WgQjzA7NBIAdW5ehRsIfBg2AOHsLocT1ghtdh.epLCM6Zg.Y51pGAxw',
  scrypt:
    '$scrypt$ln=1,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$gJbyGdOxetZMEQ9Tw1BT4IdbP2pN2YIKSKtVF4eHsKQ1y949FfUpPEaOHz/0QJKd9DZQKCHFdT7Yo0R0lbaZhg',
  djangoScrypt:
    'scrypt$2$seasalt$8$1$g6Gi3/pz7ohw6RPyfbYE0K8LCftVGrV1mExZpFEogkJUJ84r9FUTzxGc8nwQs3jAh5b9/3XCkOXRcQ1ys/5CCg==',
  ssha: '{SSHA}50P9mkUNKXOBVdEsypbvTzqenXRzYWx0c2FsdA==',
  ssha256: '{SSHA256}RSGuSXW6mjORaMmWNl66FdP0pJexC2jy5WFOaNHOsp1zYWx0c2FsdA==',
  ssha512:
    '{SSHA512}HNi1TscLKDmbl09cNxgfA9kE8FaKkU6xowRQ3bxAiru6bRzCUYckidKwCcYTcDdRn+BaU/kNqslH+0iNVUjG+nNhbHRzYWx0',
} as const;
const { bcrypt, shaCrypt, argon2i, djangoPbkdf2, pbkdf2Sha256, scrypt, ssha } = CHEAP;

const check = (hash: string, password: string) =>
  foreignPasswordCheck(hash)?.(password) ?? 'not understood';

describe('a damaged hash or one of an unsupported kind is not supported', () => {
  test.each([
    ['nothing', ''],
    ['a plain password', 'Mellon'],
    ['DES crypt', 'rqXexS6ZhobKA'],
    ['MD5 crypt', '$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/'],
    ['MD5 of Apache', '$apr1$saltsalt$qjXMvbEw8oaL.CzflDtaK/'],
    ['SHA-1 without salt', '{SHA}BR7+Bvi0sQeKBhFeAnvx2QNiUqA='],
    ['salted SHA without salt', '{SSHA}BR7+Bvi0sQeKBhFeAnvx2QNiUqA='],
    ['salted SHA cut short', ssha.slice(0, 20)],
    ['salted SHA with another digest', ssha.replace('SSHA', 'SSHA384')],
    ['salted SHA with a megabyte of salt', `{SSHA}${'a'.repeat(1_048_576)}`],
    ['salted SHA that is no Base64', `${ssha}!`],
    ['salted SHA with non-zero unused bits', ssha.replace('A==', 'B==')],
    ['argon2d', argon2i.replace('2i', '2d')],
    ['the first version of argon2', argon2i.replace('v=19', 'v=16')],
    ['the faulty form of bcrypt', bcrypt.replace('2b', '2x')],
    ['bcrypt cut short', bcrypt.slice(0, -1)],
    ['bcrypt with a line end', `${bcrypt}\n`],
    ['bcrypt of a cost below its least', bcrypt.replace('$04', '$03')],
    ['bcrypt with non-zero unused bits in its salt', bcrypt.replace('uuW', 'uvW')],
    ['bcrypt with non-zero unused bits in its digest', bcrypt.replace(/.$/, 'L')],
    ['PBKDF2 without iteration', pbkdf2Sha256.replace('i=1000', 'i=0')],
    ['PBKDF2 of another digest', pbkdf2Sha256.replace('sha256', 'md5')],
    ['PBKDF2 with a digest of eight bytes', 'pbkdf2_sha256$1$salt$AAAAAAAAAAA='],
    ['PBKDF2 without salt', djangoPbkdf2.replace('seasalt', '')],
    ['scrypt with an N that is no power of two', CHEAP.djangoScrypt.replace('$2$', '$3$')],
    ['scrypt with an N of one', CHEAP.djangoScrypt.replace('$2$', '$1$')],
    ['scrypt with an N that its r forbids', scrypt.replace('ln=1,r=8', 'ln=16,r=1')],
    ['scrypt with a digest of three bytes', '$scrypt$ln=1,r=8,p=1$AAAA$AAAA'],
    ['SHA-crypt with the digest of the other', shaCrypt.replace('$6', '$5')],
    ['SHA-crypt with fewer rounds than there are', shaCrypt.replace('1000', '999')],
    ['SHA-crypt with 17 characters of salt', shaCrypt.replace('$$', `$${'a'.repeat(17)}$`)],
  ])('%s', (_what, hash) => {
    expect(hashing.supports(hash)).toBe(false);
  });

  test('no random text of the characters of hashes is supported, and none throws', () => {
    const letters = fc.constantFrom(
      ...'$,={}./+:0159abimrstyLN',
      '$2b$',
      'ln=',
      '{SSHA}',
      'rounds=',
    );
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 40 }), (parts) => {
        expect(foreignPasswordCheck(parts.join(''))).toBeUndefined();
      }),
    );
  });
});

describe('a hash that costs too much is not supported', () => {
  test.each([
    ['argon2i with gigabytes of memory', argon2i.replace('m=8', 'm=4194304')],
    ['bcrypt of cost 16', bcrypt.replace('$04', '$16')],
    ['bcrypt of cost 31', bcrypt.replace('$04', '$31')],
    ['PBKDF2 with 8,000,001 blocks', djangoPbkdf2.replace('1000', '8000001')],
    ['PBKDF2 with 4,000,001 of SHA-512', CHEAP.pbkdf2Sha512.replace('=1000', '=4000001')],
    ['PBKDF2 with two blocks of 4,000,001', pbkdf2Sha256.replace('i=1000', 'i=4000001')],
    [
      'PBKDF2 with a kilobyte of salt',
      `$pbkdf2-sha256$i=1$${'AAAA'.repeat(250)}$${'AAAA'.repeat(8)}`,
    ],
    ['PBKDF2 with a digest of 66 bytes', `$pbkdf2-sha256$i=1$AAAA$${'AAAA'.repeat(22)}`],
    ['scrypt with 512 MiB of memory', scrypt.replace('ln=1,', 'ln=19,')],
    ['scrypt with thousands of lanes', scrypt.replace('ln=1,r=8,p=1', 'ln=14,r=8,p=33')],
    ['scrypt with an N beyond numbers', scrypt.replace('ln=1,', 'ln=99,')],
    ['SHA-crypt of 1,000,001 rounds', shaCrypt.replace('1000', '1000001')],
    ['SHA-crypt of 999,999,999 rounds', shaCrypt.replace('1000', '999999999')],
  ])('%s', (_what, hash) => {
    expect(hashing.supports(hash)).toBe(false);
  });

  test.each([
    ['bcrypt of cost 15', bcrypt.replace('$04', '$15')],
    ['PBKDF2 as Django 6 makes it', djangoPbkdf2.replace('1000', '1200000')],
    ['PBKDF2 with SHA-1 as Keycloak makes it', CHEAP.pbkdf2Sha1.replace('i=1000', 'i=1300000')],
    ['scrypt with 128 MiB', scrypt.replace('ln=1,', 'ln=17,')],
    ['SHA-crypt as passlib makes it', shaCrypt.replace('1000', '656000')],
  ])('%s is within the bounds', (_what, hash) => {
    expect(hashing.supports(hash)).toBe(true);
  });
});

describe('published hashes', () => {
  // @see the test vectors named in each row
  test.each([
    [
      'argon2i: phc-winner-argon2, test.c',
      '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8',
      'password',
    ],
    [
      'bcrypt: crypt_blowfish, wrapper.c',
      '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
      'U*U',
    ],
    [
      'bcrypt, another salt: crypt_blowfish, wrapper.c',
      '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a',
      'U*U*U',
    ],
    [
      'bcrypt of nothing: crypt_blowfish, wrapper.c',
      '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy',
      '',
    ],
    [
      'PBKDF2 with SHA-1: RFC 6070',
      '$pbkdf2$i=4096$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE',
      'password',
    ],
    [
      'PBKDF2 with SHA-256: RFC 7914 §11',
      '$pbkdf2-sha256$i=1$c2FsdA$VawEblbjCJ/sFpHCJUS2BflBhSFt3gRl5oudV8INrLxJypzM8Xm2RZkWZLOdd+8xfHG4RbHjC9UJESBB06GXgw',
      'passwd',
    ],
    [
      'PBKDF2 of Django: its tests, test_hashers.py',
      'pbkdf2_sha256$260000$seasalt$YlZ2Vggtqdc61YjArZuoApoBh9JNGYoDRBUGu6tcJQo=',
      'l\u00e8tmein',
    ],
    [
      'scrypt: RFC 7914 §12',
      '$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA',
      'password',
    ],
    [
      'scrypt of Django: its tests, test_hashers.py',
      'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
      'l\u00e8tmein',
    ],
    [
      'SHA-256-crypt: Drepper',
      '$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA',
      'Hello world!',
    ],
    [
      'SHA-512-crypt: Drepper',
      '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
      'Hello world!',
    ],
  ])('%s', async (_origin, hash, password) => {
    expect(await check(hash, password)).toBe(true);
    expect(await check(hash, `${password} `)).toBe(false);
  });
});

describe.each(Object.entries(CHEAP))('a hash in the format %s', (_form, hash) => {
  test('is supported, matches only its password, and needs a rehash', async () => {
    expect(hashing.supports(hash)).toBe(true);
    expect(hashing.needsRehash(hash)).toBe(true);
    expect(await hashing.verify(hash, PASSWORD)).toBe(true);
    expect(await hashing.verify(hash, 'passwort')).toBe(false);
    expect(await hashing.verify(hash, '')).toBe(false);
  });

  test('matches neither the password with a trailing NUL nor a lone surrogate', async () => {
    expect(await hashing.verify(hash, `${PASSWORD}\0`)).toBe(false);
    expect(await hashing.verify(hash, `${PASSWORD}\0${PASSWORD}`)).toBe(false);
    expect(await hashing.verify(hash, '\ud800')).toBe(false);
  });

  test('never matches and never throws when one of its characters changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(hash.length - 1),
        fc.constantFrom(...'0A./$!z\u0000'),
        async (position, character) => {
          const changed = hash.slice(0, position) + character + hash.slice(position + 1);
          fc.pre(changed !== hash);
          expect(await check(changed, PASSWORD)).not.toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('passwords', () => {
  test('are not normalized, except for argon2id', async () => {
    const decomposed = PASSWORD.normalize('NFD');
    expect(await hashing.verify(bcrypt, decomposed)).toBe(false);
    expect(await hashing.verify(argon2i, decomposed)).toBe(false);
    expect(await hashing.verify(CHEAP.djangoArgon2, decomposed)).toBe(true);
  });

  // @see crypt_blowfish, wrapper.c
  test('count up to their 72nd byte in bcrypt', async () => {
    const hash = '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui';
    const first72 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
    expect(await check(hash, `${first72}chars after 72 are ignored`)).toBe(true);
    expect(await check(hash, first72)).toBe(true);
    expect(await check(hash, first72.slice(0, -1))).toBe(false);
  });

  test('of 64 KiB match no SHA-crypt hash', async () => {
    expect(await check(shaCrypt.replace('1000', '656000'), 'x'.repeat(65_536))).toBe(false);
  });
});

describe('a scheme prefix', () => {
  test.each([
    [`{CRYPT}${bcrypt}`, bcrypt],
    [`{crypt}${shaCrypt}`, shaCrypt],
    [`{ARGON2}${argon2i}`, argon2i],
    [`{BCRYPT}${bcrypt}`, bcrypt],
    [`{CRYPT}${CHEAP.passlibSha256}`, CHEAP.passlibSha256],
    [`bcrypt$${bcrypt}`, bcrypt],
    [`argon2${argon2i}`, argon2i],
    [ssha, ssha],
    [CHEAP.ldapPbkdf2, CHEAP.ldapPbkdf2],
    ['argon2', 'argon2'],
    ['{SHA}x', '{SHA}x'],
  ])('of %s is removed', (hash, bare) => {
    expect(withoutSchemePrefix(hash)).toBe(bare);
    expect(hashing.supports(hash)).toBe(hashing.supports(bare));
  });

  test('makes even an argon2id hash need a rehash', async () => {
    const hash = `{ARGON2}${await hashing.hash(PASSWORD)}`;
    expect(await hashing.verify(hash, PASSWORD)).toBe(true);
    expect(hashing.needsRehash(hash)).toBe(true);
  });
});
