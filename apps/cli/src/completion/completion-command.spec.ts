import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { childEnvironment } from '@tessera/runtime';
import { runProgram } from '../program.js';

const run = promisify(execFile);
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-completion-'));
  await writeFile(join(directory, 'a file.yml'), '');
  await writeFile(join(directory, '*.key'), '');
  await writeFile(join(directory, ' b.pem'), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    await writeFile(join(directory, `script.${shell}`), await scriptFor(shell));
  }
});
afterAll(() => rm(directory, { recursive: true }));

async function scriptFor(shell: string): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  expect(await runProgram(['completion', shell], { stdin, stdout, stderr })).toBe(0);
  stdout.end();
  return text(stdout);
}

/** The output of a shell, started in the directory of the files. */
async function outputOf(name: string, ...args: readonly string[]): Promise<string> {
  const env = childEnvironment({ HOME: directory });
  return (await run(name, args, { cwd: directory, env })).stdout;
}

async function isInstalled(name: string): Promise<boolean> {
  return outputOf(name, '-c', 'true').then(
    () => true,
    () => false,
  );
}

/** The completions of bash for the last of the words. */
async function completions(...words: readonly string[]): Promise<readonly string[]> {
  const script = `source ./script.bash
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _tessera && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = await outputOf('bash', '-c', script, 'bash', 'tessera', ...words);
  return output.split('\n').filter((line) => line !== '');
}

describe('in bash, completed are', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['commands', ['k'], ['keygen']],
    ['commands within commands', ['user', 'pa'], ['passwd']],
    ['commands that change services', ['service', 'u'], ['update']],
    ['commands that show services', ['service', 'sh'], ['show']],
    ['commands that change users', ['user', 'se'], ['set']],
    [
      'options that put fields back',
      ['service', 'update', '2', '--no-l'],
      ['--no-logout', '--no-logout-url'],
    ],
    ['options of users', ['user', 'set', 'ann', '--rem'], ['--remove-attribute']],
    ['options of user show', ['user', 'show', 'ann', '--j'], ['--json']],
    ['no files where patterns belong', ['service', 'update', '2', '--pattern', 'a'], []],
    ['commands after settings', ['--profiles.active=dev', 'user', 'dis'], ['disable']],
    ['options', ['rotate', '--from-i'], ['--from-iterations', '--from-iv']],
    ['options of key stores', ['rotate', '--al'], ['--alias', '--all']],
    ['options after arguments', ['rotate', 'a file.yml', '--dry'], ['--dry-run']],
    ['words of the value of an option', ['encrypt', '--kind', 't'], ['text']],
    ['words of an argument', ['completion', 'f'], ['fish']],
    ['files for options', ['encrypt', '--key-file', '*'], ['*.key']],
    ['files that begin with blanks', ['encrypt', '--key-file', ' '], [' b.pem']],
    ['files for arguments', ['user', 'import', 'a'], ['a file.yml']],
    ['no files where names belong', ['user', 'disable', 'a'], []],
    ['no files where the alias of a key belongs', ['encrypt', '--alias', 'a'], []],
    ['nothing for names of variables', ['encrypt', '--password-env', 'a'], []],
    ['no commands among the words of others', ['user', 'add', 'u'], []],
  ])('%s', async (_what, words, expected) => {
    expect((await completions(...words)).toSorted()).toEqual(expected);
  });

  test('all commands that the help shows', async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    await runProgram(['--help'], { stdin, stdout, stderr });
    stdout.end();
    const [, listed = ''] = /Commands:\n([^]*?)\n\n/.exec(await text(stdout)) ?? [];
    const names = [...listed.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name);
    expect(await completions('')).toEqual(names);
  });
});

test('zsh, where it is installed, takes the script', async () => {
  if (await isInstalled('zsh')) await outputOf('zsh', '-n', 'script.zsh');
  expect(await scriptFor('zsh')).toContain(`'tessera encrypt --kind') compadd -- 'aes-gcm' 'text'`);
});

test('fish, where it is installed, completes the same', async () => {
  if (await isInstalled('fish')) {
    const command = 'source script.fish; complete -C "tessera rotate --from-i"';
    expect(await outputOf('fish', '--no-config', '-c', command)).toMatch(
      /^--from-iterations\t.*\n--from-iv\t/,
    );
  }
  expect(await scriptFor('fish')).toContain(`-l padding -x -a 'DEFAULT OAEP' -d 'of RSA'`);
});

test('another shell is refused, naming those that are supported', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  expect(await runProgram(['completion', 'tcsh'], { stdin, stdout, stderr })).toBe(1);
  stderr.end();
  expect(await text(stderr)).toContain('bash, zsh, fish');
});
