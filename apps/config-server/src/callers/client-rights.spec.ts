import { describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { ClientRights } from './client-rights.js';
import { readClient, type Client, type Permission } from '../settings/client.js';

function client(name: string, applications: string, permissions = 'read'): Client {
  const entry = { applications: [applications], permissions: [permissions] };
  return readClient(name, { 'token-hash': [sha256(name)], ...entry }) as Client;
}

const known = {
  orders: client('orders', 'orders, billing', 'read, encrypt'),
  europe: client('europe', 'orders-eu', 'read, decrypt'),
  shared: client('shared', 'application-eu, Orders-US, orders-eu-x'),
  filer: client('filer', 'orders', 'files'),
  ops: client('ops', '*'),
  pipeline: client('pipeline', '*', 'encrypt'),
};
const rights = new ClientRights(Object.values(known));

function refusalOf(
  who: keyof typeof known,
  permission: Permission,
  applications: string,
  profiles = 'prod',
): string | undefined {
  const scope = { applications: applications.split(','), profiles: profiles.split(',') };
  return rights.refusalOf(known[who], permission, scope);
}

describe('a client may not', () => {
  test.each([
    ['read another application', 'orders', 'users', 'that application'],
    ['read one of several that is not its own', 'orders', 'orders,users', 'that application'],
    ['read what all share, by its name', 'orders', 'application', 'that application'],
    ['read all by a star', 'orders', '*', 'that application'],
    ['read without that permission', 'pipeline', 'orders', 'may not read'],
    ['read with the permission for files', 'filer', 'orders', 'may not read'],
  ] as const)('%s', (_rule, who, applications, fault) => {
    expect(refusalOf(who, 'read', applications)).toContain(fault);
  });

  test.each([
    ['decrypt', 'orders', 'may not decrypt'],
    ['encrypt', 'ops', 'may not encrypt'],
    ['files', 'orders', 'may not read files'],
    ['files', 'europe', 'may not read files'],
    ['files', 'pipeline', 'may not read files'],
  ] as const)('%s where it is not set so: %s', (permission, who, fault) => {
    expect(refusalOf(who, permission, 'orders')).toContain(fault);
  });

  test.each([
    ['as they are', 'orders', 'orders', 'eu'],
    ['with a profile of its own', 'orders', 'orders', 'eu-prod'],
    ['behind another profile', 'orders', 'orders', 'prod,eu'],
    ['from one of several applications', 'orders', 'billing,orders', 'eu'],
    ['in other letters', 'orders', 'orders', 'Us'],
    ['from what all share', 'orders', 'billing', 'eu'],
    ['from its own that begins with another', 'europe', 'orders-eu', 'x'],
  ] as const)('spell the applications of others by profiles %s', (...[, who, name, profiles]) => {
    expect(refusalOf(who, 'read', name, profiles)).toContain('that profile');
  });
});

describe('a client may', () => {
  test.each([
    ['read its application', 'orders', 'read', 'orders', 'prod'],
    ['read several of its own', 'orders', 'read', 'orders,billing', 'prod,dev'],
    ['read in a profile that begins as an application of others', 'orders', 'read', 'orders', 'e'],
    ['read in one that goes on without a hyphen', 'orders', 'read', 'orders', 'eux'],
    ['read its own that begins with another', 'europe', 'read', 'orders-eu', 'prod'],
    ['encrypt when it is set so', 'orders', 'encrypt', 'orders', 'prod'],
    ['have files when it is set so', 'filer', 'files', 'orders', 'prod'],
    ['have files where it reads all', 'ops', 'files', 'anything', 'eu'],
    ['have all in every profile', 'ops', 'read', 'orders', 'eu'],
  ] as const)('%s', (...[, who, permission, applications, profiles]) => {
    expect(refusalOf(who, permission, applications, profiles)).toBeUndefined();
  });

  test('do what names no application', () => {
    const nothing = { applications: [], profiles: [] };
    expect(rights.refusalOf(known.europe, 'decrypt', nothing)).toBeUndefined();
  });
});
