import { beforeAll, describe, expect, test } from '@jest/globals';
import { createTestPki } from '../../../test/support/pki/test-pki.js';
import type { TestCertificate } from '../../../test/support/pki/test-certificate.js';
import { der as element } from '../../../test/support/pki/encode-der.js';
import { readPemBlocks, readCertificate } from './pem.js';

let client: TestCertificate;

beforeAll(async () => {
  const pki = await createTestPki();
  do client = await pki.client({ subject: 'CN=Jane Doe' });
  while (!base64().includes('+')); // a signature is never the same
});

const base64 = () => client.der.toString('base64');
const pem = (bytes: Buffer, label = 'CERTIFICATE') =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;

const unreadable = expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' });

describe('anything but exactly one certificate is refused:', () => {
  test.each<[string, () => string]>([
    ['nothing', () => ''],
    ['white space', () => ' \r\n'],
    ['two certificates', () => client.pem + client.pem],
    ['two without armour', () => base64() + base64()],
    ['a private key', () => client.keyPem],
    ['a certificate and its key', () => client.pem + client.keyPem],
    ['a certificate that calls itself trusted', () => pem(client.der, 'TRUSTED CERTIFICATE')],
    ['text before the armour', () => `subject=CN\n${client.pem}`],
    ['text behind the armour', () => `${client.pem}x`],
    ['headers in the armour', () => client.pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n')],
    ['armour that does not end', () => client.pem.replace('-----END CERTIFICATE-----', '')],
    ['armour of another end', () => client.pem.replace('END CERTIFICATE', 'END X509 CRL')],
    ['base64 for URLs', () => `${base64().slice(0, -4)}_-_-`],
    ['base64 with a character too many', () => `${base64()}A`],
    ['base64 that is cut off', () => base64().slice(0, -5)],
    [
      'base64 whose last bits are not zero',
      () => `${Buffer.of(0x30, 0).toString('base64').slice(0, 2)}B=`,
    ],
    ['DER itself', () => client.der.toString('latin1')],
    ['bytes behind the DER', () => Buffer.concat([client.der, Buffer.of(0)]).toString('base64')],
    ['DER that is cut off', () => client.der.subarray(0, -1).toString('base64')],
    ['a length that is indefinite', () => Buffer.from('30800000', 'hex').toString('base64')],
    ['a length that is too long', () => Buffer.from('30810100', 'hex').toString('base64')],
    ['a number with a zero too many', () => element(0x30, element(2, '\0\0')).toString('base64')],
    ['a negative number with a byte too many', () => inside('0202ff80')],
    ['a number of no bytes', () => inside('0200')],
    ['bits that are counted but not there', () => inside('030101')],
    ['bits left over that are not zero', () => inside('030207ff')],
    ['more than seven bits left over', () => inside('03020800')],
    ['an identifier of no numbers', () => inside('0600')],
    ['an identifier that begins a number with zero', () => inside('0603800101')],
    ['an identifier whose last number does not end', () => inside('06022a80')],
    ['nothing, with something in it', () => inside('050100')],
    ['a sequence that is no collection', () => inside('1000')],
    ['a tag of several bytes', () => inside('1f810100')],
    [
      'truth that is neither 0 nor 255',
      () => element(0x30, element(1, '\u0001')).toString('base64'),
    ],
    ['a string in pieces', () => element(0x30, element(0x24, element(4, 'a'))).toString('base64')],
    ['DER nested too deeply', () => nested(18).toString('base64')],
    [
      'too many elements',
      () => element(0x30, Buffer.from('0500'.repeat(129), 'hex')).toString('base64'),
    ],
    ['more than 16 KiB', () => element(0x30, element(4, Buffer.alloc(16_384))).toString('base64')],
    ['megabytes', () => 'A'.repeat(4_000_000)],
  ])('%s', (_title, text) => {
    expect(() => readCertificate(text())).toThrow(unreadable);
  });
});

/** A form without percent-encoding: the decoder turns each `+` into a space. */
const unencoded = (text: string) => text.replaceAll('+', ' ');

describe('the error says what is wrong:', () => {
  test.each<[string, () => string, RegExp]>([
    ['nothing', () => '', /^there is nothing$/],
    ['nothing but white space', () => ' \r\n', /^there is nothing$/],
    ['nothing in the armour', () => pem(Buffer.alloc(0)), /^there is nothing$/],
    ['two certificates', () => client.pem + client.pem, /^there is more than one PEM block$/],
    [
      'a certificate and its key',
      () => client.pem + client.keyPem,
      /^there is more than one PEM block$/,
    ],
    ['a private key', () => client.keyPem, /^the PEM block is something else than a CERTIFICATE$/],
    ['text before', () => `subject=CN\n${client.pem}`, /^there is text around the PEM block$/],
    ['text behind', () => `${client.pem}x`, /^there is text around the PEM block$/],
    ['half a block', () => client.pem.slice(0, -40), /^a PEM block is not whole$/],
    [
      'half a block behind',
      () => client.pem + client.pem.slice(0, 40),
      /^a PEM block is not whole$/,
    ],
    ['a word', () => 'Mellon', /^there is neither PEM of a certificate nor base64$/],
    ['PEM that was not encoded', () => unencoded(client.pem), /blanks where \+ should be/],
    [
      'PEM that was not encoded, and lost its line ends',
      () => unencoded(client.pem.replaceAll('\n', '')),
      /blanks where \+ should be/,
    ],
    ['base64 that was not encoded', () => unencoded(base64()), /blanks where \+ should be/],
    [
      'blanks in what would be no certificate either',
      () => pem(Buffer.from('fbefbefb', 'hex')).replace('+', ' '),
      /^there is neither PEM of a certificate nor base64$/,
    ],
  ])('%s', (_title, text, message) => {
    expect(() => readCertificate(text())).toThrow(message);
  });
});

const inside = (hex: string) => element(0x30, Buffer.from(hex, 'hex')).toString('base64');

function nested(depth: number): Buffer {
  return depth === 0 ? element(0x05) : element(0x30, nested(depth - 1));
}

describe('one certificate is read', () => {
  test.each<[string, () => string]>([
    ['from PEM', () => client.pem],
    ['with the line ends of Windows', () => client.pem.replaceAll('\n', '\r\n')],
    ['with white space around', () => `\n\t ${client.pem} \n\n`],
    ['with line ends that became spaces', () => client.pem.replaceAll('\n', ' ')],
    ['from one line', () => client.pem.replaceAll('\n', '')],
    ['from base64', () => base64()],
    ['from base64 in lines', () => base64().replaceAll(/.{64}/g, '$&\r\n')],
  ])('%s', (_title, text) => {
    expect(Buffer.from(readCertificate(text()))).toEqual(client.der);
  });

  test('with the maximum depth and number of elements', () => {
    expect(() => readCertificate(nested(16).toString('base64'))).not.toThrow();
    const many = element(0x30, Buffer.from('0500'.repeat(128), 'hex'));
    expect(() => readCertificate(many.toString('base64'))).not.toThrow();
  });
});

describe('a file of several blocks', () => {
  test('is read in order, without the text between', () => {
    const text = `subject=A\n${client.pem}\n# the next\n${pem(Buffer.of(1))}`;
    expect(readPemBlocks(text, 'CERTIFICATE').map((block) => Buffer.from(block))).toEqual([
      client.der,
      Buffer.of(1),
    ]);
  });

  test.each<[string, () => string]>([
    ['has a key in it', () => client.pem + client.keyPem],
    ['is cut off in a block', () => client.pem + client.pem.slice(0, -20)],
    ['is cut off before a block', () => client.pem.slice(30)],
    ['has a block that is no base64', () => client.pem.replace('\n', '\n!')],
  ])('is refused when it %s', (_title, text) => {
    expect(() => readPemBlocks(text(), 'CERTIFICATE')).toThrow(unreadable);
  });
});
