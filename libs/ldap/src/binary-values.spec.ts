// Attributes whose values are not UTF-8 text.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { optionsFor, PASSWORD, person } from '../../../test/support/ldap-people.js';
import { issueAuthority } from '../../../test/support/pki/test-certificate.js';
import { describeWithSlapd, Slapd } from '../../../test/support/slapd.js';
import { LdapDirectory } from './ldap-directory.js';

const PHOTO = Buffer.from('ffd8', 'hex');
const HALF_TEXT = Buffer.concat([Buffer.from('G\xfcte '), Buffer.from('G\xfcte', 'latin1')]);
const GUID = Buffer.from('a guid of 16 oct');
const CERTIFICATE = (await issueAuthority({ subject: 'CN=alice', key: 'alice' })).der;
const NAMED_BYTES = ['objectGuid', 'audio'];
const GUID_TYPE =
  "attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )";

let slapd: Slapd;

describeWithSlapd('a value that is not UTF-8 text', () => {
  beforeAll(async () => {
    const alice = person('alice', {
      jpegPhoto: [PHOTO, 'no text: \0'],
      photo: [HALF_TEXT, 'G\xfcte'],
      audio: [HALF_TEXT, 'G\xfcte'],
      objectGUID: [GUID],
      'userCertificate;binary': [CERTIFICATE],
    });
    slapd = await Slapd.start({ entries: [alice], global: GUID_TYPE });
  });
  afterAll(() => slapd.remove());

  test.each([
    ['of bytes, and one with a NUL', 'jpegPhoto', [PHOTO, Buffer.from('no text: \0')]],
    ['of which only some bytes are UTF-8, beside a text', 'photo', [HALF_TEXT, 'G\xfcte']],
    ['with the option of certificates', 'userCertificate', [CERTIFICATE]],
    ['asked for with that option', 'userCertificate;binary', [CERTIFICATE]],
    ['of a GUID that is named, although it looks like text', 'objectGUID', [GUID]],
    [
      'of an attribute that is named, in other letters',
      'AUDIO',
      [HALF_TEXT, Buffer.from('G\xfcte')],
    ],
  ])('is given in Base64: %s', async (_what, name, values) => {
    const directory = await LdapDirectory.open(
      optionsFor([slapd.url], { attributes: { [name]: 'x' }, binaryAttributes: NAMED_BYTES }),
    );
    const { accepted } = await directory.authenticate('alice', PASSWORD);
    directory.close();
    const x = values.map((each) => (typeof each === 'string' ? each : each.toString('base64')));
    expect(accepted).toEqual({ id: 'alice', attributes: { x } });
  });
});
