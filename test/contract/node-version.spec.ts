// What the programs say under a Node that is too old for them. Its version is put on: the Node is ours.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { endPrograms, Program, type ProgramName } from '../support/process.js';

const VERSIONS = { ...process.versions, node: '20.20.2' };
const OLDER = `Object.defineProperty(process, 'versions', { value: ${JSON.stringify(VERSIONS)} })`;
const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(OLDER)}` };

afterEach(endPrograms);

test.each<[ProgramName, readonly string[]]>([
  ['sso', ['--sso.prot=1']],
  ['config-server', ['--config-server.prot=1']],
  ['cli', ['start']],
  ['cli', ['encrypt', 'x']],
])('%s %j ends with 1 and one line, before all else', async (name, args) => {
  const program = Program.start(name, args, { env });
  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(program.stdout).toBe('');
  expect(program.stderr).toBe(
    'Tessera needs Node 24 or newer, and this is 20.20.2: use npm start, bin/tessera or node_modules/.bin/node\n',
  );
});

test('package.json lets npm install under Node 20 without a warning, and says what the programs run on', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as object;
  expect(manifest).toMatchObject({
    engines: { node: '>=20' },
    // npm checks it too, and says nothing: it only installs.
    devEngines: { runtime: { name: 'node', version: '>=24', onFail: 'ignore' } },
    dependencies: { node: expect.stringMatching(/^24\.\d+\.\d+$/) },
  });
});
