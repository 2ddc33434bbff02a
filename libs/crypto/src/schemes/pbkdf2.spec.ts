// The formats of passlib and of directories. foreign-hash.spec.ts has one of each.
import { describe, expect, test } from '@jest/globals';
import { pbkdf2 } from './pbkdf2.js';

// hashlib of Python 3.11, of pässwort
const PASSLIB =
  '$pbkdf2-sha256$1000$..8AAwQFBgcICQoLDA0ODw$eZKC99mV9mhQCvjgCW/4fxstWZ4kmky.T6LHvbWOTmw';
const LDAP =
  '{PBKDF2-SHA256}1000$..8sAwQFBgcICQoLDA0ODw$2EgcpbW4mtEiiBlFSuVNWbS.1Ugzj83O42boJJHddow';
const PHC =
  '$pbkdf2$i=1000$AAECAwQFBgcICQoLDA0ODw==$3nEcsdHgreZuaBHyfqkqZ13rkGZyV4945h9ubmB1ITuHkwCJm+DQV3xEt3l8ezZA3/IVFHZZqEJDWc5vahZMsA==';

describe('PBKDF2 of passlib and of directories', () => {
  test.each([
    ['without iteration', PASSLIB.replace('1000', '0')],
    ['of another digest', PASSLIB.replace('sha256', 'md5')],
    ['of another digest in a directory', LDAP.replace('256', '384')],
    ['in the wrong brackets', LDAP.replace('{', '$').replace('}', '$')],
    ['without salt', LDAP.replace(/\$[^$]+\$/, '$$$$')],
    ['without digest', LDAP.replace(/[^$]+$/, '')],
    ['with a digest cut to fifteen bytes', '{PBKDF2}1000$AAAA$AAAAAAAAAAAAAAAAAAAA'],
    ['with a letter that is no Base64', LDAP.replace('..8', '._8')],
    ['with a line end', `${LDAP}\n`],
    ['in PHC string format with a point for a plus', PHC.replace('+', '.')],
    ['of 8,000,001 iterations', PASSLIB.replace('1000', '8000001')],
    ['of 8,000,001 iterations in a directory', LDAP.replace('1000', '8000001')],
    ['of 4,000,001 iterations of SHA-512', PASSLIB.replace('256$1000', '512$4000001')],
  ])('is not supported %s', (_what, hash) => {
    expect(pbkdf2(hash)).toBeUndefined();
  });

  test.each([
    ['of 8,000,000 iterations', PASSLIB.replace('1000', '8000000')],
    ['of 8,000,000 iterations in a directory', LDAP.replace('1000', '8000000')],
    ['of 4,000,000 iterations of SHA-512', PASSLIB.replace('256$1000', '512$4000000')],
  ])('is supported %s', (_what, hash) => {
    expect(pbkdf2(hash)).toBeDefined();
  });

  test.each([
    ['as passlib writes it', PASSLIB],
    ['with a plus for a point', PASSLIB.replaceAll('.', '+')],
    ['as OpenLDAP writes it', LDAP],
    ['as 389 Directory Server writes it', LDAP.replaceAll('.', '+')],
    ['with padding', `${LDAP}=`],
    ['with its scheme in small letters', LDAP.replace('PBKDF2-SHA', 'pbkdf2-sha')],
  ])('matches only its password %s', async (_what, hash) => {
    expect(await pbkdf2(hash)?.(Buffer.from('p\u00e4sswort'))).toBe(true);
    expect(await pbkdf2(hash)?.(Buffer.from('passwort'))).toBe(false);
  });
});

describe('published hashes of "password"', () => {
  test.each([
    [
      'the documentation of passlib, pbkdf2_digest',
      '$pbkdf2-sha256$6400$0ZrzXitFSGltTQnBWOsdAw$Y11AchqV4b0sUisdZd0Xr97KWoymNE0LNNrnEgY4H9M',
    ],
    [
      'the tests of 389 Directory Server, pwdchan: SHA-1',
      '{PBKDF2}10000$IlfapjA351LuDSwYC0IQ8Q$saHqQTuYnjJN/tmAndT.8mJt.6w',
    ],
    [
      'the same: SHA-256',
      '{PBKDF2-SHA256}10000$henZGfPWw79Cs8ORDeVNrQ$1dTJy73v6n3bnTmTZFghxHXHLsAzKaAy8SksDfZBPIw',
    ],
    [
      'the same: SHA-512',
      '{PBKDF2-SHA512}10000$Je1Uw19Bfv5lArzZ6V3EPw$g4T/1sqBUYWl9o93MVnyQ/8zKGSkPbKaXXsT8WmysXQJhWy8MRP2JFudSL.N9RklQYgDPxPjnfum/F2f/TrppA',
    ],
  ])('%s', async (_origin, hash) => {
    expect(await pbkdf2(hash)?.(Buffer.from('password'))).toBe(true);
    expect(await pbkdf2(hash)?.(Buffer.from('password '))).toBe(false);
  });
});
