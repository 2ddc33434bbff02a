// What becomes of unusual values and files, from the repository to each form. The texts are from public bug reports; the
// answers are those of Spring Cloud Config 4.3.1, unless a comment says otherwise.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readYaml, scalarText } from '@tessera/property-sources';
import { NativeBackend } from '../../apps/config-server/src/backends/native/native-backend.js';
import {
  serveEnvironments,
  type EnvironmentServer,
  type EnvironmentServerOptions,
} from '../support/config-environment.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';

const TEXT = 'text/plain;charset=UTF-8';
const BYTES = 'application/octet-stream';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(
  files: Readonly<Record<string, string | Buffer>>,
  options: EnvironmentServerOptions = {},
): Promise<EnvironmentServer> {
  const location = await makeFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(location, path)), { recursive: true });
    await writeFile(join(location, path), content);
  }
  const server = await serveEnvironments(
    [new NativeBackend({ location, searchPaths: ['.'] })],
    options,
  );
  closing.push(
    () => server.close(),
    () => removeFolder(location),
  );
  return server;
}

async function bodyOf({ url }: EnvironmentServer, path: string): Promise<string> {
  const { status, body } = await http('GET', url, path);
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return body;
}

async function sourceOf(server: EnvironmentServer, path: string): Promise<unknown> {
  const { propertySources } = JSON.parse(await bodyOf(server, path)) as {
    propertySources: { source: unknown }[];
  };
  return propertySources[0]?.source;
}

describe('a text that looks like another type', () => {
  const TEXTS = ['1e3', 'null', '~', '12:30', '0x1F', '2020-01-01', '1_000', '.5', '010', '0o17']
    .concat(['true', 'Yes', 'off', '8080', '-1', '+1.5', '.inf', '.NaN', '0b1', '', '<<', '1.'])
    .concat(['{a: b}', '[a]', '# c', 'a: b', ' a ', "it's", 'a\nb']);

  // Spring writes the resolved text without quotes.
  test('stays a text through a placeholder', async () => {
    const placeholders = "b: '${a}'\nc: '${b}'\nd: '${no:${a}}'";
    const files = TEXTS.map((text, index) => [
      `x${index}.yml`,
      `a: ${JSON.stringify(text)}\n${placeholders}`,
    ]);
    const server = await serve(Object.fromEntries(files) as Record<string, string>);
    for (const [index, text] of TEXTS.entries()) {
      const expected = { a: text, b: text, c: text, d: text };
      const yaml = await bodyOf(server, `/x${index}-default.yml`);
      expect(parse(yaml, { version: '1.2' })).toEqual(expected);
      const [document] = readYaml(yaml, 'yml');
      expect(document?.properties.get('b')?.value).toBe(text);
      expect(document?.properties.get('d')?.value).toBe(text);
      expect(JSON.parse(await bodyOf(server, `/x${index}-default.json`))).toEqual(expected);
    }
  });

  test('is a text as a default, too', async () => {
    const server = await serve({ 'x.yml': "a: '${nope:010}'\nb: '${nope:8080}'" });
    expect(await bodyOf(server, '/x-default.yml')).toBe("a: '010'\nb: '8080'\n");
  });

  test('is none where the placeholder stands for a number or a boolean', async () => {
    const server = await serve({
      'x.yml': 'port: 8080\nflag: yes\na: ${port}\nb: ${flag}\nc: ${a}',
    });
    const yaml = await bodyOf(server, '/x-default.yml');
    expect(yaml).toBe('port: 8080\nflag: true\na: 8080\nb: true\nc: 8080\n');
  });
});

// Spring writes texts.
test('numbers without bounds are numbers in YAML, and words elsewhere', async () => {
  const server = await serve({ 'x.yml': 'inf: .inf\nneg: -.Inf\nnan: .NaN\nref: ${inf}' });
  const yaml = await bodyOf(server, '/x-default.yml');
  expect(yaml).toBe('inf: .inf\nneg: -.inf\nnan: .nan\nref: .inf\n');
  const words = { inf: 'Infinity', neg: '-Infinity', nan: 'NaN' };
  expect(JSON.parse(await bodyOf(server, '/x-default.json'))).toEqual({
    ...words,
    ref: 'Infinity',
  });
  expect(await sourceOf(server, '/x/default')).toEqual({ ...words, ref: '${inf}' });
  expect(await bodyOf(server, '/x-default.properties')).toBe(
    'inf: Infinity\nneg: -Infinity\nnan: NaN\nref: Infinity',
  );
});

test("YAML's own types and keys are read", async () => {
  const text =
    'tags: !!set {x, y}\nom: !!omap [x: 1, y: 2]\npairs: !!pairs [x: 1, x: 2]\nbin: !!binary |\n  aGVs\n  bG8=\n? [a, b]\n: 1';
  expect(await sourceOf(await serve({ 'x.yml': text }), '/x/default')).toEqual({
    'tags[0]': 'x',
    'tags[1]': 'y',
    'om.x': 1,
    'om.y': 2,
    'pairs[0].x': 1,
    'pairs[1].x': 2,
    bin: 'aGVsbG8=',
    '[[a, b]]': 1,
  });
});

test('a tag that is not of YAML is refused, and the message speaks of tags', async () => {
  const { url } = await serve({ 'x.yml': 'd: !Custom geheim' });
  const { status, body } = await http('GET', url, '/x/default');
  expect(status).toBe(500);
  expect(body).toContain('x.yml, line 1: a tag (!name) is not read here');
  expect(body).not.toContain('geheim');
});

test("Java's XML properties are below .properties and above .yml", async () => {
  const type = '<!DOCTYPE properties SYSTEM "http://java.sun.com/dtd/properties.dtd">';
  const xml = (who: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?>\n${type}\n<properties><entry key="who">${who}</entry></properties>`;
  const server = await serve({
    'xp.xml': xml('xml'),
    'xp.yml': 'who: yml',
    'xp.properties': 'who=properties',
    'application-prod.xml': xml('shared'),
    'bad.xml': xml('&xxe;').replace('properties SYSTEM', 'properties [<!ENTITY xxe "x">] SYSTEM'),
  });
  const { propertySources } = JSON.parse(await bodyOf(server, '/xp/prod')) as {
    propertySources: unknown;
  };
  expect(propertySources).toEqual([
    { name: 'file:application-prod.xml', source: { who: 'shared' } },
    { name: 'file:xp.properties', source: { who: 'properties' } },
    { name: 'file:xp.xml', source: { who: 'xml' } },
    { name: 'file:xp.yml', source: { who: 'yml' } },
  ]);
  const refused = await http('GET', server.url, '/bad/default');
  expect([refused.status, refused.body.includes('bad.xml, line ')]).toEqual([500, true]);
});

test('a file of two names is served once', async () => {
  const server = await serve({ 'application-dev.yml': 'a: 1', 'application.yml': 'a: 2' });
  const { propertySources } = JSON.parse(await bodyOf(server, '/application-dev/dev')) as {
    propertySources: { name: string }[];
  };
  expect(propertySources.map(({ name }) => name)).toEqual([
    'file:application-dev.yml',
    'file:application.yml',
  ]);
});

// Spring resolves them.
test('placeholders in decrypted secrets are text', async () => {
  const secret = 'a${u:x}b\\${u}';
  const files = {
    'x.yml': "pw: '{cipher}SECRET'\nref: 'p=${pw}'\nu: 1",
    'x.txt': '${pw} ${u}',
  };
  const server = await serve(files, { plaintexts: { SECRET: secret } });
  expect(parse(await bodyOf(server, '/x-default.yml'))).toEqual({
    pw: secret,
    ref: `p=${secret}`,
    u: 1,
  });
  expect(JSON.parse(await bodyOf(server, '/x-default.json'))).toMatchObject({ pw: secret });
  expect(await bodyOf(server, '/x-default.properties')).toContain(`pw: ${secret}`);
  expect(await bodyOf(server, '/x/default/main/x.txt')).toBe(`${secret} 1`);
});

describe('a plain file', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const PDF = Buffer.concat([latin1('%PDF-1.4 ${all} %\xe2\xe3\xcf\xd3\n'), Buffer.alloc(3)]);

  // Spring damages bytes that are not UTF-8.
  test.each<[string, Buffer, Buffer, string]>([
    [
      'in ISO 8859-1: placeholders are filled',
      latin1('greet=Gr\xfc\xdfe ${all} ${no:9}\n'),
      latin1('greet=Gr\xfc\xdfe 1 9\n'),
      'text/plain',
    ],
    [
      'in ISO 8859-1: values are, too, where it has their letters',
      latin1('\xff ${umlaut} ${euro}'),
      Buffer.concat([latin1('\xff \xfc '), Buffer.from('€')]),
      'text/plain',
    ],
    ['without placeholders: as it is', latin1('\xfc'), latin1('\xfc'), 'text/plain'],
    ['in UTF-8: with its charset', Buffer.from('ü ${umlaut}'), Buffer.from('ü ü'), TEXT],
    ['that is binary: as it is', PDF, PDF, 'text/plain'],
    [
      'that is binary, and UTF-8: as it is',
      Buffer.from('${all}\0'),
      Buffer.from('${all}\0'),
      'text/plain',
    ],
    [
      'in UTF-16: as it is',
      Buffer.from('${all}ü', 'utf16le'),
      Buffer.from('${all}ü', 'utf16le'),
      'text/plain',
    ],
  ])('%s', async (_what, content, expected, type) => {
    const server = await serve({
      'note.txt': content,
      'application.yml': 'all: 1\numlaut: ü\neuro: €',
    });
    const call = async (accept?: string): Promise<[Buffer, string | null]> => {
      const headers = accept === undefined ? {} : { accept };
      const reply = await fetch(`${server.url}/note/default/main/note.txt`, { headers });
      return [Buffer.from(await reply.arrayBuffer()), reply.headers.get('content-type')];
    };
    expect(await call()).toEqual([expected, type]);
    expect(await call('text/plain')).toEqual([expected, type]);
    expect(await call(BYTES)).toEqual([content, BYTES]);
  });
});

// Spring loses `a`.
test('a value and values below its key are both served', async () => {
  const server = await serve({ 'x.properties': 'a=1\na.b=2' });
  expect(JSON.parse(await bodyOf(server, '/x-default.json'))).toEqual({ a: '1', 'a.b': '2' });
  const [document] = readYaml(await bodyOf(server, '/x-default.yml'), 'yml');
  const values = [...(document?.properties ?? [])].map(([key, { value }]) => [
    key,
    scalarText(value),
  ]);
  expect(values).toEqual([
    ['a', '1'],
    ['a.b', '2'],
  ]);
});
