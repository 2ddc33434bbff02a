// What settings do not name is not there: no route, and none of its code in the process. Each row shows that the modules
// of the others are loaded by nothing else. Without any module: health.spec.ts.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newKeyFile } from '@tessera/crypto';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { startNode } from '../support/sso-node.js';

const OPTIONAL =
  /(node_modules\/(?:@opentelemetry\/[^/]+|oidc-provider(?=\/))|apps\/sso\/src\/(?:login|oidc|rest|rest-services|rest-x509|tracing)(?=\/)|apps\/sso\/src\/authentication\/ldap-handler\.js|libs\/(?:certificates|ldap|metrics|signing-keys|tracing))/;

const SEALING_KEYS = `--sso.oidc.sealing-keys=${newKeyFile('test').trim()}`;

let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase();
  directory = await makeFolder();
});
afterEach(endPrograms);
afterAll(async () => {
  await database.drop();
  await removeFolder(directory);
});

describe.each([
  { modules: 'login', loaded: ['apps/sso/src/login'], login: 200, tickets: 404, services: 404 },
  {
    modules: 'login,oidc',
    loaded: [
      'apps/sso/src/login',
      'apps/sso/src/oidc',
      'libs/signing-keys',
      'node_modules/oidc-provider',
    ],
    login: 200,
    tickets: 404,
    services: 404,
  },
  {
    modules: 'rest,rest-services',
    loaded: ['apps/sso/src/rest', 'apps/sso/src/rest-services'],
    login: 404,
    tickets: 415,
    services: 415,
  },
])('with sso.modules=$modules', ({ modules, loaded, login, tickets, services }) => {
  test('there are the routes and the code of just these modules', async () => {
    const { program, port } = await startNode(
      database.url,
      [`--sso.modules=${modules}`, SEALING_KEYS],
      {
        // Node's own way to say which scripts a process has run.
        NODE_V8_COVERAGE: join(directory, modules),
      },
    );
    const url = `http://127.0.0.1:${port}/cas`;
    expect((await http('GET', url, '/login')).status).toBe(login);
    expect((await http('POST', url, '/v1/tickets')).status).toBe(tickets);
    expect((await http('POST', url, '/v1/services/add/TGT-1')).status).toBe(services);
    expect((await http('GET', url, '/validate')).status).toBe(400);
    await program.stop();
    expect(await optionalScripts(join(directory, modules))).toEqual(loaded);
  });
});

/** The optional parts among the scripts that a process has loaded. */
async function optionalScripts(folder: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    expect(result.some(({ url }) => url.endsWith('/apps/sso/src/main.js'))).toBe(true);
    for (const { url } of result) {
      const part = OPTIONAL.exec(url)?.[1];
      if (part !== undefined) found.add(part);
    }
  }
  return [...found].toSorted();
}
