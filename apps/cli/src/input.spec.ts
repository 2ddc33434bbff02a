import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { callerPath, callerPaths, readPassword } from './input.js';

function terminal(isTTY: boolean) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  return { stdin, stdout: new PassThrough(), stderr: new PassThrough() };
}

describe('a path among the arguments', () => {
  afterEach(() => {
    delete process.env['TESSERA_CALLER_DIRECTORY'];
  });

  test.each([
    [undefined, 'a/b', 'a/b'],
    [process.cwd(), 'a/b', 'a/b'],
    ['/home/ann', 'a/b', '/home/ann/a/b'],
    ['/home/ann', '/a/b', '/a/b'],
  ])('of a user in %s: %s is %s', (caller, path, expected) => {
    if (caller !== undefined) process.env['TESSERA_CALLER_DIRECTORY'] = caller;
    expect(callerPath(path)).toBe(expected);
    expect(callerPaths(path, ['x'])).toEqual(['x', expected]);
  });
});

describe('from standard input', () => {
  const read = (input: string | Buffer, isTTY = false) => {
    const streams = terminal(isTTY);
    streams.stdin.end(input);
    return readPassword({ passwordStdin: true }, streams);
  };

  test.each([
    ['nothing', ''],
    ['an empty line', '\nMellon\n'],
    ['bytes that are no UTF-8', Buffer.from('p\u00e4ss\n', 'latin1')],
    ['more than 64 KiB', 'x'.repeat(65_537)],
  ])('refuses %s', async (_what, input) => {
    await expect(read(input)).rejects.toMatchObject({ name: 'CliError' });
  });

  test.each([
    ['a line', 'Mellon\n', 'Mellon'],
    ['a line of Windows', 'Mellon\r\n', 'Mellon'],
    ['text without line end', 'Mellon', 'Mellon'],
    ['the first of several lines', 'Mellon\nother\n', 'Mellon'],
    ['white space', ' p\u00e4ss wort \n', ' p\u00e4ss wort '],
    ['a line separator of Unicode', 'a\u2028b\n', 'a\u2028b'],
  ])('takes %s', async (_what, input, password) => {
    expect(await read(input)).toBe(password);
    expect(await read(input, true)).toBe(password);
  });

  test('is read without a prompt where no user types', async () => {
    const streams = terminal(false);
    streams.stdin.end('Mellon\n');
    expect(await readPassword({}, streams)).toBe('Mellon');
  });

  test('refuses an endless line, without waiting for its end', async () => {
    const streams = terminal(false);
    const password = readPassword({}, streams);
    streams.stdin.write('x'.repeat(65_537));
    await expect(password).rejects.toThrow(/must hold one line/);
  });

  test('takes a line that comes in pieces, and does not wait for more', async () => {
    const streams = terminal(false);
    const password = readPassword({}, streams);
    streams.stdin.write('Mel');
    streams.stdin.write('lon\n');
    expect(await password).toBe('Mellon');
  });
});

describe('from a file', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tessera-password-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const read = async (content: string) => {
    const passwordFile = join(directory, 'password');
    await writeFile(passwordFile, content);
    return readPassword({ passwordFile }, terminal(true));
  };

  test.each([
    ['an empty file', '', /there is no password/],
    ['two lines', 'hunter2\nMellon\n', /must hold one line/],
    ['more than 64 KiB', 'hunter2'.repeat(10_000), /must hold one line/],
  ])('refuses %s, without quoting it', async (_what, content, error) => {
    await expect(read(content)).rejects.toThrow(error);
    await expect(read(content)).rejects.not.toThrow(/hunter2|Mellon/);
  });

  test('refuses a file that is not there', async () => {
    const passwordFile = join(directory, 'none');
    const work = readPassword({ passwordFile }, terminal(true));
    await expect(work).rejects.toThrow(/none does not exist$/);
  });

  test('takes its one line', async () => {
    expect(await read(' Mellon \n')).toBe(' Mellon ');
  });
});

describe('typed', () => {
  const type = async (...keys: readonly string[]) => {
    const streams = terminal(true);
    const password = readPassword({}, streams).finally(() => {
      streams.stderr.end();
      streams.stdout.end();
    });
    for (const key of keys) {
      streams.stdin.write(key);
    }
    const [answer] = await Promise.allSettled([password]);
    return { answer, shown: (await text(streams.stderr)) + (await text(streams.stdout)) };
  };

  test.each<[string, readonly string[], RegExp]>([
    ['two that differ', ['Mellon\n', 'Melon\n'], /differ/],
    ['nothing', ['\n'], /no password/],
    ['nothing the second time', ['Mellon\n', '\n'], /no password/],
    ['the end of the input', ['\u0004'], /no password/],
  ])('refuses %s', async (_what, keys, error) => {
    const { answer, shown } = await type(...keys);
    expect(answer).toMatchObject({
      status: 'rejected',
      reason: expect.objectContaining({ message: expect.stringMatching(error) }),
    });
    expect(shown).not.toContain('Mel');
  });

  test.each<[string, readonly string[]]>([
    ['at the first prompt', ['\u0003']],
    ['within a password', ['Mel', '\u0003']],
    ['at the second prompt', ['Mellon\r', 'Mel\u0003']],
    ['right behind a password', ['Mellon\r\u0003']],
    ['behind both passwords, before the second is read', ['Mellon\rMellon\r\u0003']],
  ])('ends with 130 on Ctrl-C %s', async (_when, keys) => {
    const { answer, shown } = await type(...keys);
    expect(answer).toMatchObject({
      status: 'rejected',
      reason: { name: 'CliError', message: 'interrupted', exitCode: 130 },
    });
    expect(shown).not.toContain('Mel');
  });

  test.each<[string, readonly string[]]>([
    ['key by key', [...'Mellon\r', ...'Mellon\r']],
    ['with a correction', ['Mellonn\u007f\r', 'Mellon\r']],
    ['by pasting both lines at once', ['Mellon\nMellon\n']],
  ])('is taken %s, and never shown', async (_what, keys) => {
    const { answer, shown } = await type(...keys);
    expect(answer).toEqual({ status: 'fulfilled', value: 'Mellon' });
    expect(shown).toMatch(/Password: \nThe same again: \n/);
    expect(shown).not.toContain('Mel');
  });
});
