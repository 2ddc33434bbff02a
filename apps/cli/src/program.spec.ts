import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openEmbeddedPostgres } from '@tessera/embedded-postgres';
import { runTessera, TERMINAL_CONTROLS } from '../../../test/support/command-line.js';

let directory: string;
const before = process.cwd();
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-program-'));
  // As root, PostgreSQL runs as another user, which needs access to the directory.
  await chmod(directory, 0o755);
  process.chdir(directory);
});
afterAll(async () => {
  process.chdir(before);
  await rm(directory, { recursive: true });
});

const tessera = (...args: readonly string[]) => runTessera(args);

describe('the program', () => {
  test.each(['--help', 'help'])('explains itself by %s', async (argument) => {
    const { exitCode, stdout } = await tessera(argument);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Usage: tessera[^]*user[^]*service[^]*start[^]*--database\.url=/);
  });

  test('explains itself on standard error where no command is given', async () => {
    expect(await tessera()).toMatchObject({ exitCode: 1, stdout: '' });
  });

  test.each(['encrypt', 'decrypt'])('explains exit codes and examples of %s', async (command) => {
    const { exitCode, stdout } = await tessera(command, '--help');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Exit codes: 0 [^]* 1 [^]* 3 [^]*Examples:/);
  });

  test('tells its version', async () => {
    expect(await tessera('--version')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });
});

test.each([
  [['ev\u001b]0;il\u0007']],
  [['user', '\u202eev']],
  [['service', 'show', '1', '\u009b']],
])('an argument that commander refuses is escaped for the terminal: %j', async (args) => {
  const { exitCode, stderr } = await tessera(...args);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^tessera: /);
  expect(stderr).not.toMatch(TERMINAL_CONTROLS);
});

test('an unknown application is named, and nothing is started', async () => {
  expect(await tessera('start', 'configserver', '--sso.port=0')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'tessera: there is no application configserver: sso, config-server\n',
  });
});

test.each([
  [['start', '--port', '8085'], '--port: give --sso.port=8085'],
  [['start', 'sso', '-p', '8085'], '-p: give --sso.port=8085'],
  [['start', 'config-server', '--port=8085'], '--port: give --config-server.port=8085'],
  [['start', '--sso.port=0', '--host', '::'], '--host: give --sso.host=::'],
  [['start', 'sso', '--port'], '--port: give --sso.port=…'],
])('%j names the setting to give, and nothing is started', async (args, message) => {
  expect(await tessera(...args)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `tessera: there is no option ${message}\n`,
  });
});

test.each([[['--management.port=8085']], [['--sso.port=0', '--management.port', '8085']]])(
  'one management port for both applications is refused, and nothing is started: %j',
  async (args) => {
    expect(await tessera('start', ...args)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'tessera: both applications read management.port, and each needs a port of its own: ' +
        'give --sso.management.port=<number> or --config-server.management.port=<number>\n',
    });
  },
);

describe('the database of a command', () => {
  test('is required outside profile dev', async () => {
    expect(await tessera('user', 'list', '--profiles.active=production')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'tessera: database.url is not set (profiles: production): set it where the SSO application has it, ' +
        'and name the place by SETTINGS_LOCATION or CREDENTIALS_DIRECTORY\n',
    });
  });

  test('comes from settings, which end the command with 78 where they are invalid', async () => {
    const { exitCode, stderr } = await tessera('user', 'list', '--profiles.active=a/b');
    expect([exitCode, stderr]).toEqual([78, expect.stringContaining('profiles.active: ')]);
  });

  test('that cannot be opened is an error of one line without the password', async () => {
    const { exitCode, stderr } = await tessera('user', 'list', '--database.url=http://b/hunter2');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^tessera: .*\n$/);
    expect(stderr).not.toContain('hunter2');
  });

  test('that cannot be reached is named with the reason, without its user', async () => {
    const url = 'postgresql://ann:hunter2@localhost:1/sso';
    const { exitCode, stderr } = await tessera('user', 'list', `--database.url=${url}`);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'tessera: database.url is on the command line, where every user of the machine can read it\n' +
        'tessera: database sso at localhost:1 is not available (ECONNREFUSED)\n',
    );
  }, 20_000);

  test('that settings name is said, without its user', async () => {
    await writeFile(
      join(directory, 'sso.yml'),
      'database.url: postgresql://ann:hunter2@localhost:1/sso\n',
    );
    const { stderr } = await tessera('user', 'list', `--settings.location=${directory}`);
    expect(stderr).toMatch(/^tessera: using database sso at localhost:1\n/);
    expect(stderr).not.toMatch(/ann|hunter2/);
    await rm(join(directory, 'sso.yml'));
  }, 20_000);

  test('is the embedded one only where a start has made it; a command makes none', async () => {
    const embedded = `the embedded PostgreSQL in ${directory}/.data/postgres`;
    for (const settings of [[], ['--profiles.active=dev']]) {
      expect(await tessera('user', 'list', '--json', ...settings)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr:
          `tessera: there is no database: database.url is not set, and npm start has not made ${embedded}. ` +
          'In production, set PROFILES_ACTIVE=production, SETTINGS_LOCATION and CREDENTIALS_DIRECTORY as for the SSO ' +
          'application (docs/deployment.md); to try Tessera, run npm start first\n',
      });
    }
    expect(await readdir(directory)).toEqual([]);
    const made = await openEmbeddedPostgres({ directory: '.data/postgres', durable: false });
    await made.stop();
    expect(await tessera('user', 'list', '--json', '--profiles.active=dev')).toEqual({
      exitCode: 0,
      stdout: '[]\n',
      stderr: `tessera: using ${embedded}\n`,
    });
    await rm(join(directory, '.data'), { recursive: true });
  });
});
