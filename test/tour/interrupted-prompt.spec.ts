// Ctrl-C at a prompt of the built command line, on a real terminal.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AccountStore, UserAccount } from '@tessera/accounts';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { endPrograms, Program } from '../support/process.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
});
afterEach(endPrograms);
afterAll(() => database.drop());

/** A shell that prints the state of its terminal, runs the command, and prints its exit code and the state again. */
function inShell(args: readonly string[]): Program {
  const command = Program.command('cli', args);
  const script = 'stty -a; "$@"; echo "exit code $?"; stty -a; echo done';
  return Program.run(['sh', '-c', script, 'sh', ...command], { isAtTerminal: true });
}

test.each<[string, readonly string[], readonly RegExp[]]>([
  ['user add, first prompt', ['user', 'add', 'ann'], [/Password: $/]],
  ['user add, second prompt', ['user', 'add', 'ann'], [/Password: $/, /The same again: $/]],
  ['encrypt', ['encrypt', '--password-env=PATH'], [/Text: $/]],
])('ends with 130, restores the terminal and writes nothing: %s', async (_, args, prompts) => {
  const shell = inShell([...args, `--database.url=${database.url}`]);
  for (const [index, prompt] of prompts.entries()) {
    await shell.waitForOutput(prompt);
    shell.type(index < prompts.length - 1 ? 'Mellon\r' : '\u0003');
  }
  await shell.waitForOutput(/^done\r?\n/m);
  expect(shell.stdout).toMatch(/^tessera: interrupted\r\nexit code 130\r$/m);
  expect(shell.stdout).not.toContain('Mellon');
  const [before, after] = shell.stdout.match(/^speed .*?(?=\r\n(?:\S*: |tessera|done))/gms) ?? [];
  expect(before).toContain(' echo ');
  expect(after).toBe(before);
  expect(await AccountStore.of(database.dataSource).find('ann')).toBeUndefined();
});
