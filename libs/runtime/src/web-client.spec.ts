import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

const execute = promisify(execFile);

/** Node runs it as it is: it imports nothing. */
const SOURCE = new URL('web-client.ts', import.meta.url).href;
const LEAVE_OUT = `import { leaveOutWebClient } from '${SOURCE}'; leaveOutWebClient(); leaveOutWebClient()`;

const IS_LOADED = "process.moduleLoadList.some((name) => name.endsWith('/undici'))";

/** What an expression gives in a process of its own, an ES module that runs something first. */
async function evaluate(first: string, expression: string): Promise<unknown> {
  const program = `${first}; console.log(JSON.stringify(${expression}))`;
  const args = ['--no-warnings', '--input-type=module', '--eval', program];
  const { stdout } = await execute(process.execPath, args);
  return JSON.parse(stdout);
}

describe("whoever imports node:http has Node's client for the web loaded", () => {
  test.each([
    ['as Node has it', '', true],
    ['but where it is left out', LEAVE_OUT, false],
  ])('%s', async (_what, first, isLoaded) => {
    const imported = `${first}; const { createServer } = await import('node:http')`;
    expect(await evaluate(imported, `[typeof createServer, ${IS_LOADED}]`)).toEqual([
      'function',
      isLoaded,
    ]);
  });

  test.each(['WebSocket', 'CloseEvent', 'MessageEvent'])('%s is still found', async (name) => {
    const found = `typeof process.getBuiltinModule('node:http').${name}`;
    expect(await evaluate(LEAVE_OUT, `[${found}, typeof globalThis.${name}]`)).toEqual([
      'function',
      'function',
    ]);
  });
});
