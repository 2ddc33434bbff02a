import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { shaCryptDigest } from './sha-crypt-worker.js';

const SHA_CRYPT = /^\$([56])\$(?:rounds=(\d+)\$)?(.*)\$(.*)$/;

/** The digest with the parameters of a hash. */
function digestFor(hash: string, password: string): string {
  const [, id, rounds = '5000', salt = ''] = SHA_CRYPT.exec(hash) ?? [];
  const algorithm = id === '5' ? 'sha256' : 'sha512';
  return shaCryptDigest({
    algorithm,
    rounds: Number(rounds),
    salt,
    password: Buffer.from(password),
  });
}

describe('SHA-crypt', () => {
  // @see Ulrich Drepper, Unix crypt using SHA-256 and SHA-512
  test.each([
    ['$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5', 'Hello world!'],
    [
      '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
      'Hello world!',
    ],
    [
      '$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA',
      'Hello world!',
    ],
    [
      '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.',
      'Hello world!',
    ],
    [
      '$5$rounds=5000$toolongsaltstrin$Un/5jzAHMgOGZ5.mWJpuVolil07guHPvOW8mGRcvxa5',
      'This is just a test',
    ],
    [
      '$6$rounds=5000$toolongsaltstrin$lQ8jolhgVRVhY4b5pZKaysCLi0QBxGoNeKQzQ3glMhwllF7oGDZxUhx1yxdYcz/e1JSbq3y6JMxxl8audkUEm0',
      'This is just a test',
    ],
    [
      '$5$rounds=1400$anotherlongsalts$Rx.j8H.h8HjEDGomFU8bDkXm3XIUnzyxf12oP84Bnq1',
      'a very much longer text to encrypt.  This one even stretches over morethan one line.',
    ],
    [
      '$6$rounds=1400$anotherlongsalts$POfYwTEok97VWcjxIiSOjiykti.o/pQs.wPvMxQ6Fm7I6IoYN3CmLs66x9t0oSwbtEW7o7UmJEiDwGqd8p4ur1',
      'a very much longer text to encrypt.  This one even stretches over morethan one line.',
    ],
    [
      '$5$rounds=77777$short$JiO1O3ZpDAxGJeaDIuqCoEFysAe1mZNJRs3pw0KQRd/',
      'we have a short salt string but not a short password',
    ],
    [
      '$6$rounds=77777$short$WuQyW2YR.hBNpjjRhpYD/ifIw05xdfeEyQoMxIXbkvr0gge1a1x3yRULJ5CCaUeOxFmtlcGZelFl5CxtgfiAc0',
      'we have a short salt string but not a short password',
    ],
    [
      '$5$rounds=123456$asaltof16chars..$gP3VQ/6X7UUEW3HkBn2w1/Ptq2jxPyzV/cZKmF/wJvD',
      'a short string',
    ],
    [
      '$6$rounds=123456$asaltof16chars..$BtCwjqMJGx5hrJhZywWvt0RLE8uZ4oPwcelCjmw2kSYu.Ec6ycULevoBK25fs2xXgMNrCzIMVcgEJAstJeonj1',
      'a short string',
    ],
    [
      '$5$rounds=1000$roundstoolow$yfvwcWrQ8l/K0DAWyuPMDNHpIVlTQebY9l/gL972bIC',
      'the minimum number is still observed',
    ],
    [
      '$6$rounds=1000$roundstoolow$kUMsbe306n21p9R.FRkW3IGn.S9NPN0x50YhH1xhLsPuWGsUSklZt58jaTfF4ZEQpyUNGc0dqbpBYYBaHHrsX.',
      'the minimum number is still observed',
    ],
  ])('%s', (hash, password) => {
    expect(digestFor(hash, password)).toBe(SHA_CRYPT.exec(hash)?.[4]);
  });

  // Lengths near those of the digests, for off-by-one errors: crypt(3), libxcrypt 4.4.
  test.each([
    [0, '$5$rounds=1000$salt$oacEarljCLl1hnwSHaKByNaFLSC8faCZtGSPISXgwZ.'],
    [1, '$5$rounds=1000$salt$7KVl3mKg4nimV/qrrylYq3/eyzK/PGCputoW3DE3xU8'],
    [31, '$5$rounds=1000$salt$EjIZI6wriyZNPizUhpf38aF6I6.xAJj3Ls.XwMEMmz9'],
    [32, '$5$rounds=1000$salt$dgkzc63hWhljN7s.06ZMEIOIBL7v6GHeOA5FTc6gP01'],
    [33, '$5$rounds=1000$salt$YMngkfJpAUwSsiIH8OA/ttCrGWBIOFYFo0q6zr27vl4'],
    [63, '$5$rounds=1000$salt$jKqQD6Y4ZuH5rRTavnRfWfU9.ceJterI.LFSwZNG755'],
    [64, '$5$rounds=1000$salt$sIUJv0CG0UFRpQDNKc8UVQHFZT.mCF7E/QeJqKD0Jz9'],
    [65, '$5$rounds=1000$salt$WOycjmaqkSyrToG2ozsKNJnPLEG8jIYSIRxwh93DtL5'],
    [127, '$5$rounds=1000$salt$.uAAgdRgogg4oCFH9DbXB4TBTTO3JCkPwFW8IvJtMW2'],
    [128, '$5$rounds=1000$salt$foBPIAbvz58f63AW9EK.JZLbKT3fuVEx/gYMyrA8LO6'],
    [129, '$5$rounds=1000$salt$/RisfBMblmUICDOdS9mQ2ELmBenBUVFFUpovTTMtYC2'],
    [511, '$5$rounds=1000$salt$f6BM3YXHXEzaPBwQyLT.dESUtZVeD6IX.pL.Uiplfb0'],
    [
      0,
      '$6$rounds=1000$salt$8.6rbmbp5x0d6GHKoit3wSooHPfMEY9cwCpDMr6.bC46HXi1Eqr7xqKZ9RPwaFW/eCyoUBBNRq1xG/f612CuH0',
    ],
    [
      1,
      '$6$rounds=1000$salt$dp.sf6xrDVOi6TLP3zDbIJaA6gs0VgRbHlpmjjxGZKgmGeTPVWC8FNtkny4LZetNMVSTwdL6c/OB/cDBZl76V0',
    ],
    [
      31,
      '$6$rounds=1000$salt$svVKNXUihNjpB9pEGsuZGF4nvf7rjUEmf3MnJr85mKYWDSuegSq.C.vfhuw0YZdqNlLBHWHk6mKS.Qs6CnJ181',
    ],
    [
      32,
      '$6$rounds=1000$salt$vbWQd2M7/bO/PXUnr4lPh6ROSFCxWMCSAQ9qgEGglMA9.VQ1BN9YoYKdqv4CSIzVJTxMzdwoF.Z7xi1FquWb5/',
    ],
    [
      33,
      '$6$rounds=1000$salt$kllXFGj9ozvAJuKYjtdufxszOIBagjqWbTIPFScbMwtkHOPh94TzpO2OlVJHJTgRf9/bX/AVNt5nuosMfOHEA/',
    ],
    [
      63,
      '$6$rounds=1000$salt$RT85dwozUIOZ1Iqzp16GhtfeotwDTyPvhfp..I0Mv88HIb/Th2kx/ynDYgw5mDPLuFSpeVkZ1MMjfrs.oBY/O1',
    ],
    [
      64,
      '$6$rounds=1000$salt$JvC/rO7Uo40vL/yzPKuK8AsZQnaeIe4wZAVQy8p0dqJ6VyzzPu0iJECxvhx5J2k4sPIs4ycnZWSeL7VUAATnj.',
    ],
    [
      65,
      '$6$rounds=1000$salt$GE6FzzNMkLZA2YzAvlXDocpNj9sRcJwZRWmlRrD9iA5n/bLa/r6jBJpS8xz4.qt5bAQvsU/rQu2y9.x/hCym90',
    ],
    [
      127,
      '$6$rounds=1000$salt$qzj59i3eJ6BwGtV/7p6NqV/l/hyuAugJDRkFkecpdloWP0Y7/TNQTJ4q4FAtgKqvc57jn7Beibeo9M.P1fX2B0',
    ],
    [
      128,
      '$6$rounds=1000$salt$w8.S91Pz4TE8nzqwsyVMP0YsCjEQyEvHyLxZSKogqcDv6nrGAKP6rzksl2w7kkLvfUjXv8MXD7SowbAJw817v/',
    ],
    [
      129,
      '$6$rounds=1000$salt$GMQZYPKy9MaV2s1Nvq9nhk6GzpuqAEGjddzQIgcxNb3dWDfL/nrJgu.eTSNMJlG0pzwBYjRy6SU./UH3F1JOS0',
    ],
    [
      511,
      '$6$rounds=1000$salt$v/UgwNeZQ.s8nSJ1HNomYzuopcaW37ZzFLESuH8NsUraOkT53k.h.eVSmPMxwlp/9N1Nxz/bGPBr925yGAN15.',
    ],
  ])('of %i times x is %s', (length, hash) => {
    expect(digestFor(hash, 'x'.repeat(length))).toBe(SHA_CRYPT.exec(hash)?.[4]);
  });

  test('has 43 or 86 characters of its alphabet for any password and salt', () => {
    const salts = fc.string({ maxLength: 16 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), salts, (password, salt) => {
        const settings = { rounds: 1000, salt, password };
        expect(shaCryptDigest({ algorithm: 'sha256', ...settings })).toMatch(/^[./0-9A-Za-z]{43}$/);
        expect(shaCryptDigest({ algorithm: 'sha512', ...settings })).toMatch(/^[./0-9A-Za-z]{86}$/);
      }),
      { numRuns: 10 },
    );
  });
});
