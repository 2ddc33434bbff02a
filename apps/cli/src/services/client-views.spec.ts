import { describe, expect, test } from '@jest/globals';
import { ClientSecrets, type NewClient } from '@tessera/services';
import { serviceCommandSuite } from '../../../../test/support/service-commands.js';

const URI = 'https://app.example.org/cb';

const suite = serviceCommandSuite('client');
const tessera = (...args: readonly string[]) => suite.tessera(...args);
const PATTERN = 'https://app\\.example\\.org/.*';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const add = (client: NewClient) =>
  suite.store.add({ name: 'App', clientId: 'app', client: { redirectUris: [URI], ...client } });

describe('list and show', () => {
  test('list has a line for each client, and no service of CAS', async () => {
    await suite.store.add({ serviceId: PATTERN, name: 'CAS' });
    const { id } = await add({ grantTypes: ['authorization_code', DEVICE_CODE] });
    const { stdout } = await tessera('list');
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(rows).toEqual([
      ['CLIENT ID', 'SERVICE', 'STATE', 'NAME', 'METHOD', 'GRANTS'],
      ['app', id, 'enabled', 'App', 'client_secret_basic', 'authorization_code device_code'],
    ]);
  });

  test('show has a line for each value, and of secrets their times alone', async () => {
    const { id } = await add({ scopes: ['openid', 'mail'] });
    const secrets = new ClientSecrets(suite.dataSource.manager);
    const { secret } = await secrets.add(id);
    await secrets.add(id, { othersEndAfter: 3_600 });
    const { stdout } = await tessera('show', 'app');
    const lines = stdout.split('\n');
    const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    expect(lines[0]).toBe(`id: ${id}`);
    expect(lines).toEqual(
      expect.arrayContaining([
        'serviceId: none',
        'clientId: app',
        `client.redirectUris: ${URI}`,
        'client.redirectUriPatterns: none',
        'client.tokenEndpointAuthMethod: client_secret_basic',
        'client.scopes: openid',
        'client.scopes: mail',
        'client.pkceRequired: true',
        'client.consent: as the settings say',
        'client.jwks: none',
        'client.accessTokenLifetime: as the settings say',
        expect.stringMatching(`^secret: \\d+, made ${time}, ends ${time}$`),
        expect.stringMatching(`^secret: \\d+, made ${time}$`),
      ]),
    );
    const json = await tessera('show', 'app', '--json');
    const shown = JSON.parse(json.stdout) as { readonly secrets: readonly object[] };
    expect(shown.secrets.map((each) => Object.keys(each))).toEqual([
      ['id', 'createdAt', 'expiresAt'],
      ['id', 'createdAt', 'expiresAt'],
    ]);
    for (const text of [stdout, json.stdout]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('sha256');
      expect(text).not.toMatch(/salt/i);
    }
  });
});
