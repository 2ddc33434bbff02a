import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
        'tessera: both applications read management.port, and each needs a port of its own: set it in config/sso.yml ' +
        'or config/config-server.yml, or start one alone: npm run start:sso -- --management.port=8085\n',
    });
  },
);

describe('the database of a command', () => {
  test('is required outside profile dev', async () => {
    expect(await tessera('user', 'list', '--profiles.active=production')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'tessera: database.url is not set (profiles: production)\n',
    });
  });

  test('comes from settings, which end the command with 78 where they are invalid', async () => {
    const { exitCode, stderr } = await tessera('user', 'list', '--profiles.active=a/b');
    expect([exitCode, stderr]).toEqual([78, expect.stringContaining('profiles.active: ')]);
  });

  test('that cannot be opened is an error of one line without the password', async () => {
    const { exitCode, stderr } = await tessera('user', 'list', '--database.url=http://a:hunter2@b');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^tessera: .*\n$/);
    expect(stderr).not.toContain('hunter2');
  });

  test('that cannot be reached is named with the reason, without its user', async () => {
    const url = 'postgresql://ann:hunter2@localhost:1/sso';
    const { exitCode, stderr } = await tessera('user', 'list', `--database.url=${url}`);
    expect(exitCode).toBe(1);
    expect(stderr).toBe('tessera: database sso at localhost:1 is not available (ECONNREFUSED)\n');
  }, 20_000);

  test('is the embedded one of the working directory by default, and is kept', async () => {
    const notice = 'tessera: no profile and no database.url given: using profile dev\n';
    expect(await tessera('user', 'list', '--json')).toEqual({
      exitCode: 0,
      stdout: '[]\n',
      stderr: notice,
    });
    expect(await tessera('user', 'list', '--json', '--profiles.active=dev')).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
  });
});
