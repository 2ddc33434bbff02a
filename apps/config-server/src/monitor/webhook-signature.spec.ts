import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { hasToken, isSigned } from './webhook-signature.js';

const SECRET = new Secret("It's a Secret to Everybody");
const BODY = Buffer.from('Hello, World!');
/** @see GitHub, "Validating webhook deliveries", which gives these as an example */
const SIGNATURE = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
const SHA1 = createHmac('sha1', SECRET.reveal()).update(BODY).digest('hex');
const HEADER = 'x-hub-signature-256';

describe('a webhook', () => {
  test.each<[string, Record<string, string | string[]>]>([
    ['nothing', {}],
    ['an empty signature', { [HEADER]: '' }],
    ['a signature that is cut', { [HEADER]: `sha256=${SIGNATURE.slice(0, -1)}` }],
    ['a signature with something behind it', { [HEADER]: `sha256=${SIGNATURE}0` }],
    ['one digit that is wrong', { [HEADER]: `sha256=${SIGNATURE.replace('7', '8')}` }],
    ['digits that are none', { [HEADER]: `sha256=${SIGNATURE.replace('7', 'g')}` }],
    ['no word of the algorithm', { [HEADER]: SIGNATURE }],
    ['another algorithm', { [HEADER]: `sha1=${SHA1}` }],
    ['the older signature of GitHub', { 'x-hub-signature': `sha1=${SHA1}` }],
    ['a word too many for Gitea', { 'x-gitea-signature': `sha256=${SIGNATURE}` }],
    ['two signatures in one', { [HEADER]: `sha256=${SIGNATURE}, sha256=${SIGNATURE}` }],
    ['the secret itself', { 'x-gitlab-token': SECRET.reveal() }],
    ['a signature in another header', { 'x-signature': `sha256=${SIGNATURE}` }],
  ])('with %s is not signed', (_what, headers) => {
    expect(isSigned(headers, BODY, SECRET)).toBe(false);
  });

  test.each<[string, Record<string, string>]>([
    ['GitHub', { [HEADER]: `sha256=${SIGNATURE}` }],
    [
      'GitHub, with its older one',
      { [HEADER]: `sha256=${SIGNATURE}`, 'x-hub-signature': 'sha1=x' },
    ],
    ['Gitea and Forgejo', { 'x-gitea-signature': SIGNATURE }],
    ['Bitbucket', { 'x-hub-signature': `sha256=${SIGNATURE}` }],
    ['anybody, in capitals', { [HEADER]: `sha256=${SIGNATURE.toUpperCase()}` }],
  ])('is signed as by %s', (_whom, headers) => {
    expect(isSigned(headers, BODY, SECRET)).toBe(true);
    expect(isSigned(headers, Buffer.from('Hello, World'), SECRET)).toBe(false);
    expect(isSigned(headers, BODY, new Secret('another'))).toBe(false);
  });
});

test.each<[string, Record<string, string | string[]>, boolean]>([
  ['has the token', { 'x-gitlab-token': SECRET.reveal() }, true],
  ['has no token', {}, false],
  ['has an empty token', { 'x-gitlab-token': '' }, false],
  ['has a part of the token', { 'x-gitlab-token': SECRET.reveal().slice(1) }, false],
  ['has more than the token', { 'x-gitlab-token': `${SECRET.reveal()}x` }, false],
  ['has the token twice', { 'x-gitlab-token': `${SECRET.reveal()}, ${SECRET.reveal()}` }, false],
  ['has a signature', { [HEADER]: `sha256=${SIGNATURE}` }, false],
])('a webhook of GitLab that %s: %j is allowed: %s', (_what, headers, expected) => {
  expect(hasToken(headers, SECRET)).toBe(expected);
});
