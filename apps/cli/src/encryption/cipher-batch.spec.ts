import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cipherVectors } from '../../../../test/support/cipher-vectors.js';
import { withoutArgumentWarnings } from '../../../../test/support/command-line.js';
import { runProgram } from '../program.js';

const ROWS = [
  ...cipherVectors('text'),
  ...cipherVectors('delux'),
  ...cipherVectors('rsa'),
  // The others differ from these only by the time that they take.
  ...cipherVectors('jasypt').filter(({ iterations }) => iterations !== '5000'),
];
const TEXT = { kind: 'text', password: 'foo' };
const KEY = '--encrypt.key=Mellon';

async function batch(task: 'encrypt' | 'decrypt', input: string | Buffer) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const run = runProgram([task, '--batch', KEY], { stdin, stdout, stderr });
  const out = text(stdout);
  const exitCode = await run;
  stdout.end();
  stderr.end();
  const answers = (await out).split('\n').slice(0, -1);
  return { exitCode, answers, stderr: withoutArgumentWarnings(await text(stderr)) };
}

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('a line that fails is answered, and the others too', () => {
  const refused = '{"error":"Text not encrypted with this key"}';

  const LINES: readonly (readonly [string, string | Buffer, string | RegExp])[] = [
    ['an empty line', '', /no JSON object/],
    ['no JSON', '{', /no JSON object/],
    ['no object', '["hunter2"]', /no JSON object/],
    ['null', 'null', /no JSON object/],
    ['bytes that are no UTF-8', Buffer.from('{"cipher":"\u00e4"}', 'latin1'), /no JSON object/],
    ['a field that is an object', '{"cipher":{"x":"hunter2"}}', /\\"cipher\\" must be a text/],
    ['no text', '{"kind":"text","password":"hunter2"}', /the field cipher is missing/],
    ['an unknown kind', '{"kind":"aes","cipher":"x"}', /the kind \\"aes\\" is not/],
    ['a kind that objects have', '{"kind":"__proto__","cipher":"x"}', /is not text, delux/],
    ['no password', '{"kind":"text","cipher":"x"}', /the field password is missing/],
    [
      'an empty password',
      '{"kind":"jasypt","alg":"PBEWithMD5AndDES","password":"","cipher":"x"}',
      /password/,
    ],
    ['an odd salt', '{"kind":"text","password":"x","salt":"hunter2","cipher":"x"}', /salt/],
    [
      'no algorithm',
      '{"kind":"jasypt","password":"hunter2","cipher":"x"}',
      /the field alg is missing/,
    ],
    [
      'an unknown algorithm',
      '{"kind":"jasypt","alg":"X","password":"x","cipher":"x"}',
      /\\"X\\" is not supported/,
    ],
    [
      'too many iterations',
      '{"kind":"jasypt","alg":"PBEWithMD5AndDES","password":"x","cipher":"x","iterations":1e9}',
      /iterations/,
    ],
    [
      'an odd truth',
      '{"kind":"jasypt","alg":"PBEWithMD5AndDES","password":"x","cipher":"x","iv":"yes"}',
      /iv must be true or false/,
    ],
    ['an odd padding', '{"kind":"rsa","alg":"X","pem":"hunter2","cipher":"x"}', /DEFAULT or OAEP/],
    [
      'no PEM',
      '{"kind":"rsa","pem":"hunter2","cipher":"x"}',
      /the field pem is not a private key in PEM/,
    ],
    ['what failed before, with its reason', '{"error":"told before"}', '{"error":"told before"}'],
    ['a text under another key', '{"kind":"text","password":"x","cipher":"00"}', refused],
    ['a text under no key of the command', '{"cipher":"00"}', refused],
    ['a line of 9 MiB', 'hunter2'.repeat(1_350_000), /the line is too long/],
  ];
  const [good] = ROWS;
  const around = Buffer.from(`\n${JSON.stringify(good)}\n`);
  let result: Awaited<ReturnType<typeof batch>>;

  beforeAll(async () => {
    const input = LINES.flatMap(([, line]) => [Buffer.from(line), around]);
    result = await batch('decrypt', Buffer.concat(input));
  });

  test.each(LINES.map((row, index) => [...row, index] as const))(
    '%s',
    (_what, _line, answer, index) => {
      const [told = '', next] = result.answers.slice(2 * index);
      const expected = typeof answer === 'string' ? answer : expect.stringMatching(answer);
      expect(told).toEqual(expected);
      expect(told).toMatch(/^\{"error":"/);
      expect(told).not.toContain('hunter2');
      expect(next).toBe(JSON.stringify({ plain: good?.plain }));
    },
  );

  test('and counted in the end', async () => {
    const { exitCode, answers, stderr } = result;
    expect(answers).toHaveLength(2 * LINES.length);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: `tessera: ${LINES.length} lines failed\n`,
    });
    expect(await batch('decrypt', '{')).toMatchObject({
      exitCode: 3,
      stderr: 'tessera: a line failed\n',
    });
  });
});

test('a text with half a surrogate pair is not encrypted as another', async () => {
  const input = '{"plain":"a\\ud800b"}\n{"kind":"text","password":"\\udc00","plain":"a"}\n';
  expect(await batch('encrypt', `${input}{"plain":"\\ud83d\\ude00"}\n`)).toEqual({
    exitCode: 3,
    answers: [
      '{"error":"the field plain has half a surrogate pair"}',
      '{"error":"the field password has half a surrogate pair"}',
      expect.stringMatching(/^\{"cipher":"v1\./),
    ],
    stderr: 'tessera: 2 lines failed\n',
  });
});

describe('every line is answered, in order', () => {
  test('by nothing where there is none', async () => {
    expect(await batch('decrypt', '')).toEqual({ exitCode: 0, answers: [], stderr: '' });
  });

  test('with what the Java libraries encrypted', async () => {
    const { exitCode, answers } = await batch('decrypt', lines(ROWS));
    expect(answers).toEqual(ROWS.map(({ plain }) => JSON.stringify({ plain })));
    expect(exitCode).toBe(0);
  });

  test('with what they can decrypt again', async () => {
    const rows = ROWS.filter((_, index) => index % 4 === 0);
    const { exitCode, answers } = await batch('encrypt', lines(rows));
    expect(exitCode).toBe(0);
    const written = rows.map((row, index) => ({ ...row, ...JSON.parse(answers[index] ?? '') }));
    expect(written.map(({ cipher }) => cipher.length)).toEqual(
      rows.map(({ cipher }) => cipher.length),
    );
    const again = await batch('decrypt', lines(written));
    expect(again.answers).toEqual(rows.map(({ plain }) => JSON.stringify({ plain })));
  });

  test('however long its key takes to derive', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({
      kind: 'jasypt',
      alg: 'PBEWithHmacSHA512AndAES_256',
      password: 'x',
      iterations: index % 2 === 0 ? 20_000 : 1,
      plain: `${index}`,
    }));
    const { answers } = await batch('encrypt', lines(rows));
    const written = rows.map((row, index) => ({ ...row, ...JSON.parse(answers[index] ?? '') }));
    const again = await batch('decrypt', lines(written));
    expect(again.answers).toEqual(rows.map(({ plain }) => JSON.stringify({ plain })));
  });

  test('under the key of the command where it names no kind', async () => {
    const { answers } = await batch('encrypt', lines([{ plain: 'a\u2028b' }]));
    const { cipher } = JSON.parse(answers[0] ?? '');
    expect(cipher).toMatch(/^v1\./);
    const again = await batch('decrypt', `{"cipher":"{cipher}${cipher}"}`);
    expect(again.answers).toEqual([JSON.stringify({ plain: 'a\u2028b' })]);
  });

  test('before the next one comes, so that a program can wait for it', async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const run = runProgram(['encrypt', '--batch'], { stdin, stdout, stderr });
    const answers = stdout[Symbol.asyncIterator]();
    for (const plain of ['a', 'b']) {
      stdin.write(lines([{ ...TEXT, plain }]));
      expect(String((await answers.next()).value)).toMatch(/^\{"cipher":"[0-9a-f]{64}"\}\n$/);
    }
    stdin.end();
    expect(await run).toBe(0);
  });
});
