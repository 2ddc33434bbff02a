import { describe, expect, test } from '@jest/globals';
import { array, assert, property, stringMatching } from 'fast-check';
import {
  claimedPrefix,
  environmentName,
  environmentNames,
  isKubernetesVariable,
} from './environment-name.js';

describe('the name in the environment', () => {
  const segment = stringMatching(/^[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,5}){0,2}$/);
  const key = array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));

  test('is one that a shell accepts, as long as the key', () => {
    assert(
      property(key, (one) => {
        expect(environmentName(one)).toMatch(/^[A-Z][A-Z0-9_]*$/);
        expect(environmentName(one)).toHaveLength(one.length);
      }),
    );
  });

  test('puts every key under its prefix', () => {
    assert(
      property(key, (one) => {
        expect(claimedPrefix(environmentName(`sso.${one}`))).toBe('sso');
        expect(claimedPrefix(environmentName(`config-server.${one}`))).toBe('config-server');
      }),
    );
  });
});

test.each([
  ['encrypt.key', ['ENCRYPT_KEY']],
  ['encrypt.key-store.location', ['ENCRYPT_KEY_STORE_LOCATION', 'ENCRYPT_KEYSTORE_LOCATION']],
  ['config-server.port', ['CONFIG_SERVER_PORT']],
  [
    'config-server.git.default-label',
    ['CONFIG_SERVER_GIT_DEFAULT_LABEL', 'CONFIG_SERVER_GIT_DEFAULTLABEL'],
  ],
  ['sso.a-b-c.d-e', ['SSO_A_B_C_D_E', 'SSO_ABC_DE']],
])('in the environment %s is %j', (key, names) => {
  expect(environmentNames(key)).toEqual(names);
});

test.each([
  ['SSO_SERVICE_HOST', '10.0.0.1', true],
  ['SSO_SERVICE_PORT', '80', true],
  ['SSO_SERVICE_PORT_HTTP', '80', true],
  ['SSO_PORT', 'tcp://10.0.0.1:80', true],
  ['SSO_PORT', '8080', false],
  ['SSO_PORT_8080_TCP', 'tcp://10.0.0.1:80', true],
  ['SSO_PORT_8080_TCP_ADDR', '10.0.0.1', true],
  ['SSO_ADMIN_PORT_53_UDP_PROTO', 'udp', true],
  ['CONFIG_SERVER_PORT', 'tcp://10.0.0.1:8888', true],
  ['SSO_SERVICES_IMPORT', './x', false],
  ['SSO_PORTS', '8080', false],
])('Kubernetes makes %s=%s: %s', (variable, value, expected) => {
  expect(isKubernetesVariable(variable, value)).toBe(expected);
});
