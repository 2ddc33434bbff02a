// The built SSO application with all sources of settings at once: which of them counts, what is said of those that are away,
// and that no secret is.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { Program } from '../support/process.js';
import { describeWithVault, Vault } from '../support/vault.js';

const PLACES = ['command line', 'environment', 'vault', 'config server', 'file'];
/** Texts of which any will do. */
const KEYS = [
  'sso.host',
  'sso.services.import',
  'sso.rest.services.role-name',
  'sso.rest.services.role-value',
  'sso.authentication.ldap.ca-file',
];
const CANARY = 'canary-of-all-secrets';

describeWithVault('the settings of the SSO application', () => {
  let folder: string;
  let vault: Vault;
  let server: ConfigServer;
  /** For Vault alone. */
  let token: string;

  beforeAll(async () => {
    folder = await makeFolder();
    const keys = PLACES.map((place, index) => [KEYS[index] ?? '', place] as const);
    const upTo = (place: string) =>
      Object.fromEntries(keys.slice(0, 1 + PLACES.indexOf(place)).map(([key]) => [key, place]));
    await writeFile(join(folder, 'sso.yml'), JSON.stringify(upTo('file')));
    const served = await makeFolder();
    const hidden = { ...upTo('config server'), 'sso.authentication.static.users': `a::${CANARY}` };
    await writeFile(join(served, 'sso-native.yml'), JSON.stringify(hidden));
    const passwordHash = await new PasswordHashing().hash(CANARY);
    const clients = { sso: { 'password-hash': passwordHash, applications: ['sso'] } };
    server = await startConfigServer([
      `--config-server.native.location=${served}`,
      `--config-server.clients=${JSON.stringify(clients)}`,
      '--config-server.host=127.0.0.1',
    ]);
    vault = await Vault.start();
    await vault.put('sso/native', {
      ...upTo('vault'),
      'database.url': `postgresql://${CANARY}@x/y`,
    });
    token = await vault.tokenFor('sso', 'path "secret/*" { capabilities = ["read"] }');
  });
  afterAll(async () => {
    await Promise.all([vault.stop(), server.close()]);
    await removeFolder(folder);
  });

  async function explain(env: Readonly<Record<string, string>>) {
    const argv = ['explain', `--settings.location=${folder}`, '--sso.host=command line'];
    const own = {
      PROFILES_ACTIVE: 'native',
      VAULT_URI: vault.url,
      VAULT_TOKEN: token,
      SSO_CONFIG_SERVER_URL: server.url,
      SSO_CONFIG_SERVER_USERNAME: 'sso',
      SSO_CONFIG_SERVER_PASSWORD: CANARY,
      SSO_HOST: 'environment',
      SSO_SERVICES_IMPORT: 'environment',
      DEBUG: '*',
    };
    const program = Program.start('sso', argv, { env: { ...own, ...env } });
    const { code } = await program.ended;
    const said = program.stdout + program.stderr;
    expect(said).not.toContain(CANARY);
    expect(said).not.toContain(token);
    return { code, stdout: program.stdout, stderr: program.stderr };
  }

  test('count in their order, and no secret is shown', async () => {
    const { stdout, stderr } = await explain({ LOGGING_LEVEL_VAULT: 'debug' });
    const rows = JSON.parse(stdout) as { key: string; value: string; origin: string }[];
    const told = (name: string) => rows.find(({ key }) => key === name)?.value;
    // What Vault supplies is a secret under any key.
    const shown = PLACES.map((place) => (place === 'vault' ? '[secret]' : place));
    expect(KEYS.map(told)).toEqual(shown);
    expect(rows).toContainEqual({
      key: KEYS[2],
      value: '[secret]',
      origin: 'vault secret/sso/native',
    });
    expect(rows).toContainEqual({
      key: 'database.url',
      value: '[secret]',
      origin: 'vault secret/sso/native',
    });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ logger: 'vault', path: 'secret/data/sso/native', status: 200 }),
    );
  });

  test('are refused with 78 and every problem at once', async () => {
    const { code, stdout, stderr } = await explain({
      VAULT_TOKEN: 'hvs.wrong',
      SSO_CONFIG_SERVER_PASSWORD: 'wrong',
      SSO_PORT: 'much',
    });
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      'sso: 3 problems in the settings of sso:',
      '  sso.port: must be a whole number ("much", environment SSO_PORT)',
      '  vault secret/sso/native: cannot be read: correct vault.token, or its policy. Vault refuses sys/internal/ui/mounts/secret. (status 403: permission denied)',
      `  sso.config-server.password: ${server.url} answers 401: it does not know the client (environment SSO_CONFIG_SERVER_PASSWORD)`,
      '',
    ]);
  });
});
