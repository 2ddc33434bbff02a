import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AddressRanges } from '@tessera/server';
import { TestAuthority } from '../../../../test/support/pki/test-authority.js';
import { OutgoingClient } from './outgoing-client.js';

const policy = { allowHttp: false, allowedAddresses: AddressRanges.parse(['127.0.0.1', '::1']) };

const get = (client: OutgoingClient, url: string): Promise<number> =>
  client.get(url, AbortSignal.timeout(5_000));

describe('a certificate', () => {
  const client = new OutgoingClient(policy);
  const publicAuthorities = getCACertificates('default');
  let tlsServer: Server;
  let authority: TestAuthority;
  let url: string;

  beforeAll(async () => {
    authority = await TestAuthority.create();
    tlsServer = createTlsServer(await authority.issue('CN=server'), (_request, response) => {
      response.end();
    }).listen(0, '127.0.0.1');
    await once(tlsServer, 'listening');
    url = `https://localhost:${(tlsServer.address() as AddressInfo).port}/`;
  });
  afterEach(() => {
    setDefaultCACertificates(publicAuthorities);
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  });
  afterAll(() => {
    tlsServer.close();
  });

  test('of a known authority is trusted', async () => {
    setDefaultCACertificates([authority.cert]);
    expect(await get(client, url)).toBe(200);
  });

  test('of an unknown authority is not trusted, whatever the environment says', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    await expect(get(client, url)).rejects.toMatchObject({
      code: 'CERTIFICATE_NOT_TRUSTED',
      message: 'Its certificate is not trusted',
    });
  });

  test('for another name is not trusted', async () => {
    setDefaultCACertificates([authority.cert]);
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const named = new OutgoingClient(policy, resolve);
    await expect(get(named, url.replace('localhost', 'other.test'))).rejects.toMatchObject({
      code: 'CERTIFICATE_NOT_TRUSTED',
    });
  });
});
