import { expect, test } from '@jest/globals';
import { listenErrorText } from './listen-error.js';

test.each<[string, string, number, string]>([
  [
    'EADDRINUSE',
    'sso',
    8080,
    'cannot listen on ::1:8080: the port is in use; choose another with --sso.port=<number> (npm start -- --sso.port=<number>; in the environment SSO_PORT)',
  ],
  [
    'EADDRINUSE',
    'sso.management',
    8081,
    'cannot listen on ::1:8081: the port is in use; choose another with --sso.management.port=<number> (npm start -- --sso.management.port=<number>; in the environment SSO_MANAGEMENT_PORT)',
  ],
  [
    'EADDRNOTAVAIL',
    'config-server.management',
    8889,
    'cannot listen on ::1:8889: this machine has no such address; choose another with --management.host=<address> (npm start -- --management.host=<address>; in the environment MANAGEMENT_HOST)',
  ],
  [
    'EACCES',
    'config-server',
    80,
    'cannot listen on ::1:80: this user may not use the port; choose one above 1023 with --config-server.port=<number> (npm start -- --config-server.port=<number>; in the environment CONFIG_SERVER_PORT)',
  ],
  [
    'EADDRNOTAVAIL',
    'sso',
    8080,
    'cannot listen on ::1:8080: this machine has no such address; choose another with --sso.host=<address> (npm start -- --sso.host=<address>; in the environment SSO_HOST)',
  ],
  ['EMFILE', 'sso', 8080, 'cannot listen on ::1:8080: EMFILE'],
])('names the reason and the setting to change: %s', (code, application, port, text) => {
  expect(listenErrorText(code, { application, host: '::1', port })).toBe(text);
});
