import { describe, expect, test } from '@jest/globals';
import { JASYPT_ALGORITHMS, jasyptAlgorithm } from './jasypt-algorithms.js';
import { JasyptCipher } from './jasypt-cipher.js';
import { pkcs12 } from './password-derivations.js';

const PLAIN = 'speak, friend';

const read = (algorithm: string, password: string, text: string, hasIvGenerator: boolean) =>
  JasyptCipher.open({ algorithm, password, iterations: 3, hasIvGenerator }).decrypt(text);

// Written by Jasypt 1.9.3 with three iterations, on OpenJDK 17 and Bouncy Castle 1.70 unless noted.
describe('a text of Jasypt is decrypted', () => {
  test.each([
    ['PBEWithSHA1AndRC2_128', 'ADA9KxZF+S2Cs/iGy5BzcEZoNVp1AAbe'],
    ['PBEWithSHA1AndRC4_40', 'JNg2fNzeSzdSi14sMxzzp7unvgs8'],
  ])('of %s', async (algorithm, text) => {
    expect(String(await read(algorithm, 'Mellon', text, false))).toBe(PLAIN);
  });

  test.each([
    ['both halves of the salt equal', 'AQIDBAECAwTZPwI8EYdm3CwEGPT3/gqQ'],
    ['all bytes of the salt equal', 'BwcHBwcHBwc7n/RPE3MQ5tPbFUy38Sbx'],
    ['equal halves of negative bytes', 'gQL+BIEC/gQNROQeD7sNSm4b41DPQ7cE'],
  ])('of PBEWithMD5AndTripleDES with %s', async (_what, text) => {
    expect(String(await read('PBEWithMD5AndTripleDES', 'Mellon', text, false))).toBe(PLAIN);
  });

  test.each([
    ['PBEWithSHA1AndDESede', 'nFwQgdX1KU4bzOZhL63wa8QqnVxEnkHU0R/5famob5E='],
    ['PBEWithSHA1AndRC2_40', 'BXahsBOU6pokvUldOJlrYa5Uq7gz5qe6UiJJWHrhPSU='],
    ['PBEWithSHA1AndRC4_128', '5+k0aW78qrqaYejnVJzyXbOMSFo3di8cW4SIhJqU5R9nwpugeg=='],
    [
      'PBEWithHmacSHA1AndAES_128',
      '/3DOIiOle74FrmI3Y0fEWfCZ2V+x4Tv8teEZ414yoBeD/7JllBtpOeDpmyRV6bx9',
    ],
    [
      'PBEWithHmacSHA224AndAES_128',
      'ftfiriCxNiOiYWGkzoxlm85zkZXuY0hrkV21nL/j8EtNhKSFWfUAxCh6kfsmgCJh',
    ],
    [
      'PBEWithHmacSHA384AndAES_256',
      '2CYjs050fKKhONhapnV+xJ0FFJTE8pGejs/HRZkpm1ExfiyvntE48Gfgtma4Txm1',
    ],
  ])('of %s with an IV generator', async (algorithm, text) => {
    expect(String(await read(algorithm, 'Mellon', text, true))).toBe(PLAIN);
  });

  test.each([
    ['PBEWITHMD5ANDDES', 'QZaK3RQPD5gXqBm3/tqwPeVQ28oZ+N8N'],
    ['PBEWITHSHA1ANDDES', 'rlvaunZZMK3ZSl8nDtp1pIaIdf+mpIUN'],
    ['PBEWITHMD5ANDRC2', '3itKZ8sq0hIL2kgBxg+hieg6X7Mw4vG2'],
    ['PBEWITHSHA1ANDRC2', 'GW1rC+kUmVGz1URXOGKBhBVPuWewFXR+'],
    ['PBEWITHSHA1ANDDESEDE', 'P0d3AEfX+6fOu79EMwW5pDNWeH6FV0sT'],
    ['PBEWITHSHAAND3-KEYTRIPLEDES-CBC', 'pN6ZsD4RyD2rmU1H5dBR8OkTT67cVB3R'],
    ['PBEWITHSHAAND2-KEYTRIPLEDES-CBC', '7xEsNe1J2vh/I+EgVyp/7u9Rw2ZfZMZL'],
    ['PBEWITHSHAAND40BITRC2-CBC', 'fLd6ydpFl4vv5X55D+CQiXAoxdvEsMHk'],
    ['PBEWITHSHAAND128BITRC2-CBC', 'cUlZU+L6NnZUjOPSBo/daEwJXcOslLGN'],
    ['PBEWITHSHAAND40BITRC4', 'm3yO1QylHidF9IJxzHI4uQfjAcKB'],
    ['PBEWITHSHAAND128BITRC4', 'WNEBmpWS8ebotcoC7HQCfbFzbgze'],
    ['PBEWITHSHAAND128BITAES-CBC-BC', 'nUfiWVTBbVpCDWGDqeaStMzrMPN2uLb4pw7wu2qQxsI='],
    ['PBEWITHSHAAND192BITAES-CBC-BC', 'yL1I7bM/C3oZqwN7EEiWOZtbkn+irttfbboOouwNTWY='],
    ['PBEWITHSHA1AND128BITAES-CBC-BC', 'DlAdwTgRWN2B1wFYP3V48s6E0TqElQNiKXAiozl89S4='],
    ['PBEWITHSHA-1AND256BITAES-CBC-BC', 'PxeYmmJ8oR6pcKD5WFdqXWQOgXKa4GTU9+RU0nFid+s='],
    ['PBEWITHSHA256AND128BITAES-CBC-BC', 'Xl5mbaP5lQAWRWtpCk59I4lr9Jpxq4lzgZBXskX/UgY='],
    ['PBEWITHSHA256AND192BITAES-CBC-BC', '2S7ZbJhQq6fPoL9CNll+YEyzFQRsMViKKD7PpAqOyo0='],
    ['PBEWITHSHA-256AND256BITAES-CBC-BC', 'KCVp2HVPfywz2blfGsIbtc4C5Cur1+EyjBYcZEc3Aug='],
  ])('of %s with a password beyond ASCII', async (algorithm, text) => {
    expect(String(await read(algorithm, 'p\u00e4ss\u20ac', text, false))).toBe(PLAIN);
  });

  // Bouncy Castle 1.80 reads the stored IV; 1.70 ignored it and derived one.
  test.each([
    ['PBEWITHMD5ANDDES', '2OG/bVE2xf6Zj+JcHQ6i6yOnVP2A3M+MWFEhlRyiAYQ='],
    ['PBEWITHSHAAND3-KEYTRIPLEDES-CBC', '/4WmTg5kkJ/gKFzpn+e/VdzrsU08BUqzV2v8obA0320='],
    [
      'PBEWITHSHA256AND128BITAES-CBC-BC',
      '9Z05LeGqGVWJJsd7HS9umgvSQLN2+i6iHz23IT/St2ABDnzgF7viYFzAsUnu8QFq',
    ],
  ])('of %s in Bouncy Castle 1.80 with an IV generator', async (algorithm, text) => {
    expect(String(await read(algorithm, 'p\u00e4ss\u20ac', text, true))).toBe(PLAIN);
  });
});

test('the stored IV is the derived one, for either release of Bouncy Castle', async () => {
  const [algorithm, password] = ['PBEWITHSHA256AND256BITAES-CBC-BC', 'Mellon'];
  const options = { algorithm, password, iterations: 3, hasIvGenerator: true };
  const text = await JasyptCipher.open(options).encrypt(Buffer.from(PLAIN));
  const bytes = Buffer.from(text, 'base64');
  const { encode, derive } = pkcs12('sha256');
  const salt = bytes.subarray(0, 16);
  const sizes = { iterations: 3, keyBytes: 32, ivBytes: 16 };
  const { iv } = await derive({ password: encode(password), salt, ...sizes });
  expect(bytes.subarray(16, 32)).toEqual(iv);
});

describe('the algorithms', () => {
  test.each([
    'pbewithmd5anddes',
    'PBEWITHHMACSHA512ANDAES_256',
    'PBEWITHSHA-1AND256BITAES-BC',
    'PBEWITHSHA1AND3-KEYDESEDE-CBC',
  ])('are known by another spelling: %s', (name) => {
    expect(jasyptAlgorithm(name).name).not.toBe(name);
  });

  test.each([
    ['PBEWithMD5AndTrippleDES', 'PBEWithMD5AndTripleDES'],
    ['PBEWITHHMACSHA512ANDAES256', 'PBEWithHmacSHA512AndAES_256'],
    ['HmacSHA256AndAES_128', 'PBEWithHmacSHA256AndAES_128'],
    ['PBEWithSHA256And256BitAES-CBC', 'PBEWITHSHA256AND256BITAES-CBC-BC'],
    ['', 'PBEWithMD5AndDES'],
  ])('suggested for "%s" are the three most similar, the closest first', (written, meant) => {
    const pattern = new RegExp(`docs/encryption\\.md\\): ${meant}, [\\w-]+, [\\w-]+$`);
    expect(() => jasyptAlgorithm(written)).toThrow(pattern);
  });

  test('are legacy unless digest and cipher are both unbroken', () => {
    const strong = JASYPT_ALGORITHMS.filter(({ isLegacy }) => !isLegacy);
    expect(strong.map(({ name }) => name)).toEqual([
      'PBEWITHSHA256AND128BITAES-CBC-BC',
      'PBEWITHSHA256AND192BITAES-CBC-BC',
      'PBEWITHSHA256AND256BITAES-CBC-BC',
      ...['1', '224', '256', '384', '512'].flatMap((size) => [
        `PBEWithHmacSHA${size}AndAES_128`,
        `PBEWithHmacSHA${size}AndAES_256`,
      ]),
    ]);
  });

  test.each(JASYPT_ALGORITHMS)('$name decrypts what it encrypts', async ({ name }) => {
    const cipher = JasyptCipher.open({ algorithm: name, password: 'Mellon', iterations: 1 });
    const text = await cipher.encrypt(Buffer.from(PLAIN));
    expect(String(await cipher.decrypt(text))).toBe(PLAIN);
  });
});
