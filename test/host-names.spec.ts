// Connections to other programs look their host up without `dns.lookup`, whose threads new database connections need.
import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LdapDirectory } from '@tessera/ldap';
import { HttpClient } from '@tessera/runtime';
import { AddressRanges } from '@tessera/server';
import { Tracing } from '@tessera/tracing';
import { OutgoingClient } from '../apps/sso/src/outgoing/outgoing-client.js';
import { FakeHttpServer, reply } from './support/fake-http-server.js';
import { FakeLdapServer } from './support/fake-ldap-server.js';
import { NAMED, optionsFor } from './support/ldap-people.js';
import { OtlpReceiver } from './support/otlp-receiver.js';
import { until } from './support/until.js';

let server: FakeHttpServer;
let directory: FakeLdapServer;
let receiver: OtlpReceiver;

beforeAll(async () => {
  server = await FakeHttpServer.start();
  server.respondWith(reply(200, 'ok'));
  directory = await FakeLdapServer.start();
  receiver = await OtlpReceiver.start();
});
afterAll(async () => {
  await server.stop();
  directory.close();
  await receiver.stop();
});

const named = (url: string): string => url.replace('127.0.0.1', 'localhost');
const limit = (): AbortSignal => AbortSignal.timeout(10_000);

test.each<[string, () => Promise<void>]>([
  [
    'an application',
    async () => {
      const allowedAddresses = AddressRanges.parse(['127.0.0.0/8', '::1']);
      const client = new OutgoingClient({ allowHttp: true, allowedAddresses });
      expect(await client.get(named(server.url), limit())).toBe(200);
    },
  ],
  [
    'Vault and config servers',
    async () => {
      const client = new HttpClient(false);
      const request = { method: 'GET', url: named(server.url), headers: {}, signal: limit() };
      expect((await client.send(request)).status).toBe(200);
      client.close();
    },
  ],
  [
    'an LDAP server',
    async () => {
      const ldap = await LdapDirectory.open(optionsFor([named(directory.url)], { users: NAMED }));
      expect(await ldap.authenticate('alice', 'any')).toMatchObject({ accepted: { id: 'alice' } });
      ldap.close();
    },
  ],
  [
    'the receiver of traces',
    async () => {
      const url = named(receiver.url);
      const tracing = new Tracing({ service: 'test', url, headers: {}, sampleRatio: 1 });
      tracing.start({ name: 'span' }).end();
      await until('the span is received', () => receiver.spans.length > 0);
      await tracing.close();
    },
  ],
])('the host of %s', async (_, connect) => {
  const lookups: string[] = [];
  const hook = createHook({
    init: (_id, type) => void (type === 'GETADDRINFOREQWRAP' && lookups.push(type)),
  }).enable();
  try {
    await connect();
  } finally {
    hook.disable();
  }
  expect(lookups).toEqual([]);
});
