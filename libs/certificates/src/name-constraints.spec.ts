import { beforeAll, describe, expect, test } from '@jest/globals';
import { Extension, type JsonGeneralNames, type JsonName, Name } from '@peculiar/x509';
import { der, generalName, nameConstraints } from '../../../test/support/pki/encode-der.js';
import { issueAuthority } from '../../../test/support/pki/test-certificate.js';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { verdictOn } from '../../../test/support/pki/test-verifier.js';

const { email, dns, uri, ip, directory, other } = generalName;
const within = (name: string) => directory(new Uint8Array(new Name(name).toArrayBuffer()));

/** `Example` as a UniversalString, in the syntax of the test library for a value of any type. */
const UNIVERSAL = `#1c1c${Array.from('Example', (letter) => Buffer.of(0, 0, 0, letter.charCodeAt(0)).toString('hex')).join('')}`;
/** A bit string. */
const NO_TEXT = '#03020780';

const IPV6 = '2001:db8::1';
const IPV6_NET = [0x20, 1, 0xd, 0xb8, ...Array<number>(12).fill(0)];
const IPV6_MASK = [255, 255, 255, 255, ...Array<number>(12).fill(0)];

let pki: TestPki;

beforeAll(async () => {
  pki = await createTestPki();
});

interface Case {
  readonly permitted?: readonly Buffer[];
  readonly excluded?: readonly Buffer[];
  readonly subject?: string | JsonName;
  readonly names?: JsonGeneralNames;
}

function verdict({ subject = 'O=Example, CN=a', names, ...constraints }: Case) {
  return verdictUnder(nameConstraints(constraints), subject, names);
}

async function verdictUnder(
  value: Buffer<ArrayBuffer>,
  subject: string | JsonName = 'CN=a',
  names?: JsonGeneralNames,
) {
  const more = [new Extension('2.5.29.30', true, value)];
  const issuer = await issueAuthority({ subject: 'CN=Bound', issuer: pki.root, more });
  const client = await pki.client({ subject, issuer, ...(names === undefined ? {} : { names }) });
  return verdictOn(client.der, { bundle: pki.root.pem + issuer.pem });
}

const mail = (value: string): JsonGeneralNames => [{ type: 'email', value }];
const host = (value: string): JsonGeneralNames => [{ type: 'dns', value }];
const url = (value: string): JsonGeneralNames => [{ type: 'url', value }];
const address = (value: string): JsonGeneralNames => [{ type: 'ip', value }];

describe('a certificate is refused with CERTIFICATE_CONSTRAINTS whose issuer may not certify', () => {
  test.each<[string, Case]>([
    ['its subject', { permitted: [within('O=Other')] }],
    ['a subject it excludes', { excluded: [within('O=Example')] }],
    ['a subject it excludes in another case', { excluded: [within('O=EXAMPLE ')] }],
    [
      'a subject it excludes in UTF-32',
      { excluded: [within('O=Example')], subject: [{ O: [UNIVERSAL] }] },
    ],
    [
      'a subject it excludes with a soft hyphen in it',
      { excluded: [within('O=Example')], subject: [{ O: ['Exam\u00adple'] }] },
    ],
    [
      'a subject it may exclude, for it is no text',
      { excluded: [within('O=Example')], subject: [{ O: [NO_TEXT] }] },
    ],
    [
      'a subject that may not be the permitted one, for it is no text',
      { permitted: [within('O=Example')], subject: [{ O: [NO_TEXT] }] },
    ],
    [
      'an e-mail address in the subject that is no text, with hosts permitted',
      { permitted: [email('example.org')], subject: [{ E: [NO_TEXT] }] },
    ],
    [
      'an e-mail address in the subject that is no text, with hosts excluded',
      { excluded: [email('example.com')], subject: [{ E: [NO_TEXT] }] },
    ],
    ['a shorter subject', { permitted: [within('O=Example, OU=Staff')] }],
    [
      'the host of its e-mail address',
      { permitted: [email('example.org')], names: mail('a@example.com') },
    ],
    [
      'a host below the one of e-mail addresses',
      { permitted: [email('example.org')], names: mail('a@mail.example.org') },
    ],
    [
      'the host itself where hosts below it are meant',
      { permitted: [email('.example.org')], names: mail('a@example.org') },
    ],
    ['another mailbox', { permitted: [email('b@example.org')], names: mail('a@example.org') }],
    ['a mailbox it excludes', { excluded: [email('a@example.org')], names: mail('a@EXAMPLE.org') }],
    [
      'one of two addresses',
      {
        permitted: [email('example.org')],
        names: [...mail('a@example.org'), ...mail('a@example.com')],
      },
    ],
    [
      'an address without a host',
      { permitted: [email('example.org')], names: mail('example.org') },
    ],
    [
      'an address with two hosts',
      { excluded: [email('example.com')], names: mail('"a@example.com"@example.org') },
    ],
    [
      'an e-mail address in the subject',
      { permitted: [email('example.org')], subject: 'CN=a, E=a@example.com' },
    ],
    ['the name of a host', { permitted: [dns('example.org')], names: host('notexample.org') }],
    [
      'the name of a host it excludes',
      { excluded: [dns('example.org')], names: host('a.EXAMPLE.org') },
    ],
    [
      'what is no name of a host',
      { excluded: [dns('example.org')], names: host('a.example.org.') },
    ],
    ['every host, excluded', { excluded: [dns('')], names: host('a.example.org') }],
    [
      'the host of a URI',
      { permitted: [uri('example.org')], names: url('https://example.com/example.org') },
    ],
    [
      'the host behind a user name',
      { permitted: [uri('example.org')], names: url('https://example.org@example.com/') },
    ],
    ['a URI with an IP address', { permitted: [uri('.org')], names: url('https://127.0.0.1/') }],
    ['a URI without a host', { excluded: [uri('example.org')], names: url('urn:example') }],
    [
      'an address outside its net',
      { permitted: [ip(10, 0, 0, 0, 255, 0, 0, 0)], names: address('11.0.0.1') },
    ],
    [
      'an address in a net it excludes',
      { excluded: [ip(10, 0, 0, 0, 255, 0, 0, 0)], names: address('10.1.2.3') },
    ],
    [
      'an IPv6 address in a net it excludes',
      { excluded: [ip(...IPV6_NET, ...IPV6_MASK)], names: address(IPV6) },
    ],
    [
      'an IPv6 address, where a net of IPv4 is permitted',
      { permitted: [ip(10, 0, 0, 0, 255, 0, 0, 0)], names: address(IPV6) },
    ],
    ['names by a net of no size', { excluded: [ip(10, 0, 0, 0)], names: address('10.1.2.3') }],
    ['names of a form that cannot be checked', { permitted: [other('a')] }],
  ])('%s', async (_title, constraints) => {
    expect(await verdict(constraints)).toBe('CERTIFICATE_CONSTRAINTS');
  });

  test('names at a distance', async () => {
    const tree = der(0x30, dns('example.org'), der(0x80, Buffer.of(1)));
    expect(await verdictUnder(der(0x30, der(0xa0, tree)))).toBe('CERTIFICATE_CONSTRAINTS');
  });

  test('the authority itself', async () => {
    const value = nameConstraints({ permitted: [within('O=Example')] });
    const more = [new Extension('2.5.29.30', true, value)];
    const upper = await issueAuthority({
      subject: 'CN=Upper',
      key: 'upper',
      issuer: pki.root,
      more,
    });
    const verdicts = ['O=Other, CN=Lower', 'O=Example, CN=Lower'].map(async (subject) => {
      const issuer = await issueAuthority({ subject, key: 'lower', issuer: upper });
      const { der: client } = await pki.client({ subject: 'O=Example, CN=a', issuer });
      return verdictOn(client, { bundle: pki.root.pem + upper.pem + issuer.pem });
    });
    expect(await Promise.all(verdicts)).toEqual(['CERTIFICATE_CONSTRAINTS', 'good']);
  });

  test('names, by the constraints of an authority further up', async () => {
    const value = nameConstraints({ excluded: [within('O=Example')] });
    const more = [new Extension('2.5.29.30', true, value)];
    const upper = await issueAuthority({
      subject: 'CN=Upper',
      key: 'upper',
      issuer: pki.root,
      more,
    });
    const issuer = await issueAuthority({ subject: 'CN=Lower', issuer: upper });
    const bundle = pki.root.pem + upper.pem + issuer.pem;
    const bad = await pki.client({ subject: 'O=Example, CN=a', issuer });
    const good = await pki.client({ subject: 'O=Other, CN=a', issuer });
    expect(await verdictOn(bad.der, { bundle })).toBe('CERTIFICATE_CONSTRAINTS');
    expect(await verdictOn(good.der, { bundle })).toBe('good');
  });
});

describe('a certificate is accepted whose issuer may certify', () => {
  test.each<[string, Case]>([
    ['its subject', { permitted: [within('O=Example')] }],
    ['its subject in another case', { permitted: [within('O=EXAMPLE ')] }],
    ['one of several kinds of subject', { permitted: [within('O=Other'), within('O=Example')] }],
    [
      'its subject, with a value further down that is no text',
      { permitted: [within('O=Example')], subject: [{ O: ['Example'] }, { CN: [NO_TEXT] }] },
    ],
    [
      'an e-mail address that is no text, where there is no constraint on such',
      { permitted: [dns('example.org')], subject: [{ E: [NO_TEXT] }] },
    ],
    ['all but other subjects', { excluded: [within('O=Example, CN=b')] }],
    ['other forms of names than it has', { permitted: [email('example.org'), dns('example.org')] }],
    [
      'the host of its e-mail address',
      { permitted: [email('example.org')], names: mail('a@Example.org') },
    ],
    [
      'hosts below a domain',
      { permitted: [email('.example.org')], names: mail('a@mail.example.org') },
    ],
    ['its mailbox', { permitted: [email('a@example.org')], names: mail('a@example.org') }],
    [
      'the names of hosts below its own',
      { permitted: [dns('example.org')], names: host('a.example.org') },
    ],
    [
      'the host of its URI',
      { permitted: [uri('example.org')], names: url('https://u@EXAMPLE.org:8443/x') },
    ],
    [
      'URIs below a domain',
      { permitted: [uri('.example.org')], names: url('ldap://a.example.org') },
    ],
    ['its net', { permitted: [ip(10, 0, 0, 0, 255, 0, 0, 0)], names: address('10.9.8.7') }],
    ['its net of IPv6', { permitted: [ip(...IPV6_NET, ...IPV6_MASK)], names: address(IPV6) }],
    [
      'addresses of IPv4, where all of IPv6 is excluded',
      { excluded: [ip(...Array<number>(32).fill(0))], names: address('10.9.8.7') },
    ],
  ])('%s', async (_title, constraints) => {
    expect(await verdict(constraints)).toBe('good');
  });
});
