// `tessera settings explain`, which asks the built application. What it makes of the answer:
// apps/cli/src/settings-explanation.spec.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../support/folders.js';
import { Program } from '../support/process.js';

let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'sso.yml'), 'sso.tickets.st.lifetime: 20s\n');
});
afterAll(() => removeFolder(folder));

async function explain(...args: readonly string[]) {
  const location = `--settings.location=${folder}`;
  const env = { SSO_TICKETS_SUFFIX: 'a', CONFIG_SERVER_PORT: 'much' };
  const program = Program.start('cli', ['settings', 'explain', ...args, location], { env });
  const { code } = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

describe('tessera settings explain', () => {
  test('tells all settings below a key', async () => {
    expect(await explain('sso.tickets')).toEqual({
      code: 0,
      stdout: `sso.tickets.cleaning-interval = 2s  (default)
sso.tickets.pgt.max-depth = 10  (default)
sso.tickets.pt.lifetime = 10s  (default)
sso.tickets.st.lifetime = 20s  (${folder}/sso.yml:1)
sso.tickets.suffix = a  (environment SSO_TICKETS_SUFFIX)
sso.tickets.tgt.idle-timeout = 2h  (default)
sso.tickets.tgt.max-lifetime = 8h  (default)
sso.tickets.tgt.remember-me-lifetime = 14d  (default)
`,
      stderr: '',
    });
  });

  test('finds fault with settings that the application would not start with', async () => {
    expect(await explain('--application=config-server')).toEqual({
      code: 78,
      stdout: '',
      stderr: `config-server: a problem in the settings of config-server:
  config-server.port: must be a whole number ("much", environment CONFIG_SERVER_PORT)
tessera: config-server would not start\n`,
    });
  });
});
