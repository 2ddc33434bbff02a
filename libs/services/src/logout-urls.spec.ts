import { expect, test } from '@jest/globals';
import { logoutUrlsOf } from './logout-urls.js';

test.each<[string, string | null, readonly string[]]>([
  ['the URL of the ticket without one', null, ['https://app/']],
  ['one', 'https://a/out', ['https://a/out']],
  ['several', 'http://a/x,http://b/y', ['http://a/x', 'http://b/y']],
  ['several with spaces', ' http://a/x , https://b/y ', ['http://a/x', 'https://b/y']],
  ['several in capitals', 'HTTP://a/x,HTTPS://b/y', ['HTTP://a/x', 'HTTPS://b/y']],
  ['several after empty ones', 'http://a/x,,http://b/y', ['http://a/x', 'http://b/y']],
  ['one, given twice', 'http://a/x,http://a/x', ['http://a/x']],
  ['one with a comma in its query', 'http://a/x?ids=1,2', ['http://a/x?ids=1,2']],
  [
    'several with commas of their own',
    'http://a/1,2,http://b/3,4',
    ['http://a/1,2', 'http://b/3,4'],
  ],
  ['one with another scheme after a comma', 'http://a/x,ftp://b/', ['http://a/x,ftp://b/']],
])('the logout URLs of a service: %s', (_, logoutUrl, urls) => {
  expect(logoutUrlsOf({ logoutUrl }, 'https://app/')).toEqual(urls);
});
