import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runTour, extractTour } from '../support/console-tour.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { endPrograms, Program } from '../support/process.js';
import { describeWithVault, Vault } from '../support/vault.js';

/** The one command of Vault's that the tour needs, by its API. */
const VAULT_COMMAND = `vault() {
  [ "$1 $2" = "kv put" ] || return 1
  curl -sf -X POST -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_URI/v1/\${3/\\//\\/data/}" \\
    -d "{\\"data\\": {\\"\${4%%=*}\\": \\"\${4#*=}\\"}}"
}`;

let folder: string;
let database: TestDatabase;
let vault: Vault | undefined;

beforeAll(async () => {
  folder = await makeFolder();
  database = await createTestDatabase();
});

afterAll(async () => {
  await endPrograms();
  await vault?.stop();
  await database.drop();
  await removeFolder(folder);
});

describeWithVault('the tour of reloading', () => {
  test('goes as its page shows it', async () => {
    vault = await Vault.start();
    const page = await readFile(join(import.meta.dirname, '../../docs/reload.md'), 'utf8');
    const tour = extractTour(page, 'A tour');
    const variables = { VAULT_URI: vault.url, VAULT_TOKEN: Vault.rootToken };
    const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${value}`);
    const prologue = [...exports, VAULT_COMMAND].join('\n');

    const [before, after] = tour.split(/(?<=\n)(?=\$ login\(\))/);
    expect(await runTour(before ?? '', prologue)).toBe(before);
    const base = await startSso(variables);
    const typed = (after ?? '').replaceAll('localhost:8080', base);
    expect((await runTour(typed, prologue)).replaceAll(base, 'localhost:8080')).toBe(after);
  });
});

/** @returns where it listens */
async function startSso(variables: Readonly<Record<string, string>>): Promise<string> {
  const cwd = join(folder, 'sso');
  await mkdir(cwd, { recursive: true });
  const args = [`--database.url=${database.url}`, '--sso.port=0'];
  const env = { PROFILES_ACTIVE: 'dev,native', ...variables };
  const program = Program.start('sso', args, { cwd, env });
  const [, port] = await program.waitForOutput(/"port":(\d+),"msg":"listening"/);
  return `localhost:${port}`;
}
