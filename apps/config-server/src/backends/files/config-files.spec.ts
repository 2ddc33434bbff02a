import { beforeEach, describe, expect, test } from '@jest/globals';
import { queryOf } from '../environment-backend.conformance.js';
import type { FileTree, PropertySource, TreeFile } from '../environment-backend.js';
import { ConfigFiles } from './config-files.js';

const MIB = 1_048_576;

let tree: MemoryTree;
let files: ConfigFiles;

beforeEach(() => {
  tree = new MemoryTree();
  files = new ConfigFiles({
    backend: 'memory',
    searchPaths: ['', '{application}'],
    nameOf: ({ path, directory, document }) => `${directory}|${path}|${document ?? ''}`,
  });
});

describe('an environment of files', () => {
  test.each([
    ['YAML that is none', 'orders.yml', 'k: v\nk: [\n', /^orders\.yml, line \d+, column \d+: /],
    [
      'properties that are none',
      'orders.properties',
      'k=v\n\nbad=\\u12\n',
      /^orders\.properties, line 3: /,
    ],
    ['a file for everyone', 'application.yml', 'k: "', /^application\.yml, line \d+, column \d+: /],
    ['a file of a profile', 'orders-prod.yml', '\t:', /^orders-prod\.yml, line \d+, column \d+: /],
    [
      'profiles that are none',
      'orders.yml',
      'k: v\nspring.profiles: p &\n',
      /^orders\.yml, line 2: /,
    ],
    [
      'YAML that is not UTF-8',
      'orders.yml',
      Buffer.from('k: \xe9', 'latin1'),
      /^orders\.yml is not UTF-8$/,
    ],
    [
      'properties in UTF-16',
      'orders.properties',
      Buffer.from('\uFEFFk=v', 'utf16le'),
      /^orders\.properties is not UTF-8$/,
    ],
    [
      'a file over 1 MiB',
      'orders.yml',
      `k: ${'x'.repeat(MIB)}`,
      /^orders\.yml is larger than 1 MiB$/,
    ],
  ])('is SOURCE_MALFORMED with the file named for %s', async (_what, path, content, message) => {
    tree.write({ 'application.properties': 'fine=yes', [path]: content });
    await expect(files.environmentOf(tree, queryOf('orders', 'prod'))).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
      message: expect.stringMatching(message),
    });
  });

  test('does not care about files of others', async () => {
    tree.write({ 'billing.yml': '[', 'orders-dev.yml': '[', 'orders.json': '[', orders: '[' });
    expect((await files.environmentOf(tree, queryOf('orders', 'prod'))).sources).toEqual([]);
  });

  test('has a source a document, the last first, numbered where there are several', async () => {
    tree.write({
      'orders.yml': 'k: 0\n---\nspring.config.activate.on-profile: dev\n---\nk: 2\n',
      'orders.properties': 'k=0\n#---\nspring.config.activate.on-profile=prod & !dev\n',
      'orders/orders.yaml': 'spring.profiles: prod\n',
      'orders-prod.yml': 'spring.config.activate.on-profile: dev\n',
    });
    const { sources } = await files.environmentOf(tree, queryOf('orders', 'prod'));
    expect(sources.map((source) => source.name)).toEqual([
      'orders/|orders/orders.yaml|',
      '|orders.properties|1',
      '|orders.properties|0',
      '|orders.yml|2',
      '|orders.yml|0',
    ]);
  });

  test.each([
    ['UTF-8', Buffer.from('k=café')],
    ['ISO-8859-1 otherwise', Buffer.from('k=café', 'latin1')],
    ['escapes', Buffer.from(String.raw`k=caf\u00e9`)],
  ])('reads properties as %s', async (_what, content) => {
    tree.write({ 'orders.properties': content });
    expect(await valueIn('orders')).toBe('café');
  });

  test('reads and parses a file once while it stays as it is', async () => {
    tree.write({ 'application.yml': 'k: v', 'orders.yml': 'k: v' });
    const first = await files.environmentOf(tree, queryOf('orders', 'prod'));
    const again = await files.environmentOf(tree, queryOf('orders', 'dev'));
    expect(tree.reads).toEqual(['orders.yml', 'application.yml']);
    expect(again.sources[0]?.properties).toBe(first.sources[0]?.properties);
  });

  test('reads a file that cannot be parsed once', async () => {
    tree.write({ 'orders.yml': '[' });
    const ask = () => files.environmentOf(tree, queryOf('orders', 'prod')).catch(String);
    expect([await ask(), await ask()]).toEqual(Array(2).fill(expect.stringMatching('orders.yml')));
    expect(tree.reads).toEqual(['orders.yml']);
  });

  test.each([
    ['properties', Array.from({ length: 38_000 }, (_, n) => `k${n}=v`).join('\n')],
    ['yml', `a: &a [${Array(100).fill('x').join()}]\nb: [${Array(350).fill('*a').join()}]`],
    ['yml', `a: &a "${'x'.repeat(100_000)}"\nb: [${Array(19).fill('*a').join()}]`],
  ])('keeps whatever it can read, however much: %s', async (extension, content) => {
    tree.write({ [`orders.${extension}`]: content });
    const [first, again] = [await sourcesOf('orders'), await sourcesOf('orders')];
    expect(tree.reads).toHaveLength(1);
    expect(again[0]?.properties).toBe(first[0]?.properties);
  });

  test('looks at no files but the few that might be of the application', async () => {
    await files.environmentOf(tree, queryOf('orders', 'prod'));
    expect(tree.lookups).toHaveLength(2 * 4 * 4);
  });

  test('sees a file change', async () => {
    tree.write({ 'orders.yml': 'k: before' });
    expect(await valueIn('orders')).toBe('before');
    tree.write({ 'orders.yml': 'k: after!' });
    expect(await valueIn('orders')).toBe('after!');
  });

  test('reads a file without a revision again, and parses it only when it says something else', async () => {
    tree.write({ 'orders.yml': 'k: before' });
    tree.hasRevisions = false;
    const { sources } = await files.environmentOf(tree, queryOf('orders', 'prod'));
    const again = await files.environmentOf(tree, queryOf('orders', 'prod'));
    expect(tree.reads).toEqual(['orders.yml', 'orders.yml']);
    expect(again.sources[0]?.properties).toBe(sources[0]?.properties);
    tree.write({ 'orders.yml': 'k: after!' });
    expect(await valueIn('orders')).toBe('after!');
  });

  test('has the revision of its content, whatever becomes of the files', async () => {
    tree.write({ 'orders.yml': 'k: v', 'application.yml': 'k: w' });
    const { revision } = await files.environmentOf(tree, queryOf('orders', 'prod'));
    tree.write({ 'orders.yml': 'k: v', 'application.yml': 'k: w', 'billing.yml': 'k: x' });
    expect((await files.environmentOf(tree, queryOf('orders', 'prod'))).revision).toBe(revision);
    tree.write({ 'orders.yml': 'k: w', 'application.yml': 'k: v' });
    expect((await files.environmentOf(tree, queryOf('orders', 'prod'))).revision).not.toBe(
      revision,
    );
  });

  test('forgets what it read long ago, so that memory is bounded', async () => {
    const comment = `#${'x'.repeat(MIB - 10)}\n`;
    const names = Array.from({ length: 12 }, (_each, index) => `app${index}`);
    tree.write(Object.fromEntries(names.map((name) => [`${name}.properties`, `${comment}k=v`])));
    for (const name of [...names, 'app11', 'app0']) expect(await valueIn(name)).toBe('v');
    expect(tree.reads.filter((path) => /^app(0|11)\./.test(path))).toHaveLength(3);
  });

  test('looks again where a file became another while it was read', async () => {
    tree.write({ 'orders.yml': 'k: v' });
    tree.changes = 2;
    expect(await valueIn('orders')).toBe('v');
  });

  test('is BACKEND_UNAVAILABLE where that does not end', async () => {
    tree.write({ 'orders.yml': 'k: v' });
    tree.changes = Infinity;
    await expect(files.environmentOf(tree, queryOf('orders', 'prod'))).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: 'backend memory is not available',
    });
  });
});

describe('a plain file', () => {
  const query = { ...queryOf('orders', 'prod'), path: 'etc/nginx.conf' };

  test('is none where there is none', async () => {
    tree.write({ 'etc/nginx-dev.conf': 'dev', 'nginx.conf': 'elsewhere' });
    expect(await files.plainFileOf(tree, query)).toBeUndefined();
  });

  test('is SOURCE_MALFORMED over 16 MiB, and not read', async () => {
    tree.write({ 'etc/nginx.conf': Buffer.alloc(16 * MIB + 1) });
    await expect(files.plainFileOf(tree, query)).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
      message: 'etc/nginx.conf is larger than 16 MiB',
    });
    expect(tree.reads).toEqual([]);
  });

  test('is given byte for byte, with its time, that of the profile first', async () => {
    const content = Buffer.from([0, 255, 13, 10]);
    tree.write({ 'etc/nginx-prod.conf': content, 'etc/nginx.conf': 'other' });
    expect(await files.plainFileOf(tree, query)).toEqual({ content, modified: new Date(0) });
  });

  test('may be empty, and of another directory', async () => {
    tree.write({ 'orders/etc/nginx.conf': '' });
    expect((await files.plainFileOf(tree, query))?.content).toHaveLength(0);
  });

  test('is looked for again where it became another while it was read', async () => {
    tree.write({ 'etc/nginx.conf': 'v' });
    tree.changes = 1;
    expect((await files.plainFileOf(tree, query))?.content.toString()).toBe('v');
  });
});

async function sourcesOf(application: string): Promise<readonly PropertySource[]> {
  return (await files.environmentOf(tree, queryOf(application, 'prod'))).sources;
}

async function valueIn(application: string): Promise<unknown> {
  const sources = await sourcesOf(application);
  return sources[0]?.properties.get('k')?.value;
}

/** A fake tree in memory, which controls each step. The real trees have specs of their own. */
class MemoryTree implements FileTree {
  readonly lookups: string[] = [];
  readonly reads: string[] = [];
  hasRevisions = true;
  /** How many more reads see a file that changed after it was found. */
  changes = 0;
  private writes = 0;
  private contents = new Map<string, Buffer>();

  /** Replaces all files. */
  write(contents: Readonly<Record<string, string | Buffer>>): void {
    const entries = Object.entries(contents);
    this.contents = new Map(entries.map(([path, content]) => [path, Buffer.from(content)]));
    this.writes += 1;
  }

  find(path: string): Promise<TreeFile | undefined> {
    this.lookups.push(path);
    const content = this.contents.get(path);
    if (content === undefined) return Promise.resolve(undefined);
    const revision = this.hasRevisions ? String(this.writes) : undefined;
    const read = (): Promise<Buffer | undefined> => {
      this.reads.push(path);
      this.changes -= 1;
      return Promise.resolve(this.changes < 0 ? content : undefined);
    };
    return Promise.resolve({ revision, size: content.length, modified: new Date(0), read });
  }

  /** No search path here has a pattern. */
  list(): never {
    throw new Error('not used');
  }
}
