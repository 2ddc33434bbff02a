// The units of systemd are valid and confined, and their commands start and stop the programs. A service manager is not run:
// the sandbox of the units takes no effect here.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { endPrograms, Program } from '../support/process.js';
import { analyze, directives, isSystemdSkipped, pathOf, unitHere } from './systemd-unit.js';

const UNITS: readonly [unit: string, application: string, secret: string][] = [
  ['tessera-sso', 'sso', 'sso.management.token'],
  ['tessera-config-server', 'config-server', 'encrypt.key'],
];
/** From 0 (confined) to 10. */
const MOST_EXPOSURE = 2;

const describeIfInstalled = isSystemdSkipped() ? describe.skip : describe;

describeIfInstalled.each(UNITS)('the unit %s', (unit, application, secret) => {
  let folder: string;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = await makeFolder();
    database = await createTestDatabase();
    await mkdir(join(folder, 'credentials', application), { recursive: true });
    await writeCredential('database.url', database.url);
    await writeCredential(secret, 'the-first-secret-of-the-unit');
  });

  function writeCredential(name: string, value: string): Promise<void> {
    return writeFile(join(folder, 'credentials', application, name), value, { mode: 0o640 });
  }

  afterAll(async () => {
    await endPrograms();
    await database.drop();
    await removeFolder(folder);
  });

  test('has no error', async () => {
    const path = join(folder, `${unit}.service`);
    await writeFile(path, unitHere(unit));
    expect(analyze('verify', path)).toEqual({ status: 0, output: '' });
  });

  test(`has an exposure of at most ${MOST_EXPOSURE}`, () => {
    const { output } = analyze('security', '--offline=true', pathOf(unit));
    const [, exposure] = /Overall exposure level for \S+: (\d+\.\d+)/.exec(output) ?? [output];
    expect(Number(exposure)).toBeLessThanOrEqual(MOST_EXPOSURE);
  });

  test('writes no memory image, and does not see the secrets of the other application', () => {
    const text = unitHere(unit);
    expect(directives(text, 'LimitCORE')).toEqual(['0']);
    const others = UNITS.filter(([other]) => other !== unit).map(
      ([, name]) => `-/etc/tessera/credentials/${name}`,
    );
    expect(directives(text, 'InaccessiblePaths')).toEqual(others);
  });

  test('is not started again where only other settings help', async () => {
    const program = start({ PROFILES_ACTIVE: 'production,dev' });
    const { code } = await program.ended;
    expect(directives(unitHere(unit), 'RestartPreventExitStatus')).toEqual([String(code)]);
  });

  test('starts, reloads and stops the program', async () => {
    await writeFile(
      join(folder, 'config-server.yml'),
      "config-server.clients: { a: { token-hash: 'sha256:4d9e90f184f501fc93fcd9a442cb7cf68ea9f34acb091ad25206e2f591e49e81', applications: a, permissions: read } }\n",
    );
    await writeFile(join(folder, 'sso.yml'), 'sso.base-url: https://login.example.org/cas\n');
    const program = start({ SSO_PORT: '0', CONFIG_SERVER_PORT: '0' });
    await program.waitForOutput(/"msg":"listening"/);
    const [reload = ''] = directives(unitHere(unit), 'ExecReload');
    const command = reload.replace('$MAINPID', String(program.pid)).split(' ');
    expect(await Program.run(command).ended).toMatchObject({ code: 0 });
    await program.waitForOutput(/"cause":"SIGHUP","msg":"settings were read again/);
    // A rotated secret.
    await writeCredential(secret, 'the-second-secret-of-the-unit');
    await program.waitForOutput(new RegExp(`"${secret}".*"msg":"settings were reloaded"`));
    const { code, ms } = await program.stop();
    expect(code).toBe(0);
    const [stopSeconds] = directives(unitHere(unit), 'TimeoutStopSec');
    expect(ms).toBeLessThan(Number(stopSeconds) * 1000);
  });

  /** Runs the command of the unit with its environment, and with settings and credentials in the folder. */
  function start(env: Readonly<Record<string, string>>): Program {
    const text = unitHere(unit).replaceAll('/etc/tessera', folder).replaceAll('%S', folder);
    const variables = directives(text, 'Environment').flatMap((line) => line.split(' '));
    const own = Object.fromEntries(variables.map((variable) => variable.split('=')));
    const [command = ''] = directives(text, 'ExecStart');
    const [cwd = ''] = directives(text, 'WorkingDirectory');
    return Program.run(command.split(' '), { cwd, env: { ...own, ...env } });
  }
});
