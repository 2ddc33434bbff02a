// Tokens of five seconds, which a real Vault renews or revokes.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { describeWithVault, Vault } from '../../../test/support/vault.js';
import { LeasedToken } from './leased-token.js';
import { appRoleLogin, givenToken, type LogIn } from './logins.js';
import { VaultClient } from './vault-client.js';

const POLICY = 'path "secret/data/orders" { capabilities = ["read"] }';
const SHORT = { token_policies: 'orders', token_ttl: '5s' };

interface TokenAnswer {
  readonly auth: { readonly client_token: string };
}

describeWithVault('a token of five seconds', () => {
  let vault: Vault;
  const clients: VaultClient[] = [];

  beforeAll(async () => {
    vault = await Vault.start();
    await vault.put('orders', { a: 'b' });
    await vault.tokenFor('orders', POLICY);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await vault.stop();
  });

  /** A client that has read once, with a count of its logins. */
  async function reading(method: LogIn) {
    const counted = { logins: 0 };
    const tokens = new LeasedToken((calls) => {
      counted.logins += 1;
      return method(calls);
    });
    const options = { uri: vault.url, tokens, namespace: '', timeout: 5_000 };
    const client = await VaultClient.open(options);
    clients.push(client);
    const read = () => client.keyValues({ mount: 'secret', version: 2 }).read('orders');
    expect(await read()).toEqual({ a: 'b' });
    return { counted, read, tokens };
  }

  async function byAppRole(name: string, settings: Readonly<Record<string, string>>) {
    const { roleId, secretId } = await vault.appRole(name, settings);
    return reading(appRoleLogin({ roleId, revealSecretId: () => secretId, mount: 'approle' }));
  }

  async function shortToken(isRenewable: boolean): Promise<string> {
    const request = { policies: ['orders'], ttl: '5s', renewable: isRenewable };
    const answer = await vault.send('POST', 'auth/token/create', JSON.stringify(request));
    return (answer as TokenAnswer).auth.client_token;
  }

  async function isRefused(token: string): Promise<boolean> {
    const headers = { 'X-Vault-Token': token };
    return (await fetch(`${vault.url}/v1/auth/token/lookup-self`, { headers })).status === 403;
  }

  test('is valid for as long as it is renewed', async () => {
    const given = await shortToken(true);
    const renewed = await byAppRole('renewed', SHORT);
    const ending = await byAppRole('ending', { ...SHORT, token_max_ttl: '5s' });
    const asleep = await byAppRole('asleep', SHORT);
    asleep.tokens.close(); // no timer renews it, as on a machine that sleeps
    const kept = await reading(givenToken(() => given));
    const unrenewed = await shortToken(false);
    await until('a token that is not renewed expires', () => isRefused(unrenewed));
    for (const { read } of [renewed, ending, asleep, kept]) {
      expect(await read()).toEqual({ a: 'b' });
    }
    expect([renewed, ending, asleep].map(({ counted }) => counted.logins)).toEqual([1, 2, 2]);
  });
});
