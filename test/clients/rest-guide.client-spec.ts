// Runs the commands and programs of docs/rest-guide.md with the built SSO, and compares what they print with the page.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { extractTour, maskTickets, runTour } from '../support/console-tour.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { startNode, type SsoNode } from '../support/sso-node.js';
import { isSkipped } from './installation.js';
import { PASSWORD, USER } from './running-service.js';

const PAGE = readFileSync('docs/rest-guide.md', 'utf8');
const SECTIONS = ['Log in', 'Get a service ticket', 'Validate it', 'Log out'];
const OUTPUT = blockOf('text');

/** A language of the page. Each program is one file. */
const LANGUAGES = [
  { name: 'Python', block: 'python', file: 'tickets.py', run: ['python3'], tool: '--version' },
  { name: 'Java', block: 'java', file: 'Tickets.java', run: ['java'], tool: '-version' },
  { name: 'Go', block: 'go', file: 'tickets.go', run: ['go', 'run'], tool: 'version' },
  { name: 'Node.js', block: 'js', file: 'tickets.mjs', run: [process.execPath], tool: '--version' },
] as const;

/** Characters that forms and URLs must escape. */
const CASES = [
  ['the values of the page', { user: 'casuser', password: 'Mellon', path: '/app' }],
  ['characters to escape', { user: USER, password: PASSWORD, path: '/app?a=1&b=<ü>+%20' }],
] as const;

const MAIL = 'casuser@example.org';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  await ServiceStore.of(database.dataSource).add({
    serviceId: '^http://localhost:9000/.*',
    name: 'local',
    attributeRelease: { kind: 'all' },
  });
});
afterAll(async () => {
  await database?.drop();
  await removeFolder(folder);
});

describe.each(['documented', 'apereo'])('the REST guide, in dialect %s', (dialect) => {
  let node: SsoNode;
  let url: string;

  beforeAll(async () => {
    const attributes = { casuser: { mail: MAIL }, [USER]: { mail: MAIL } };
    node = await startNode(database.url, [
      `--sso.dialect=${dialect}`,
      '--sso.tickets.st.lifetime=60s',
      `--sso.authentication.static.users=casuser::Mellon,${USER}::${PASSWORD}`,
      `--sso.authentication.static.attributes=${JSON.stringify(attributes)}`,
    ]);
    url = `http://127.0.0.1:${node.port}/cas`;
  });
  afterAll(() => node?.program.stop());

  if (dialect === 'documented') {
    test('shows what its commands print', async () => {
      const shown = SECTIONS.map((section) => extractTour(PAGE, section)).join('');
      const typed = shown.replaceAll('http://localhost:8080/cas', url);
      expect(maskTickets(await runTour(typed))).toBe(maskTickets(typed));
    });
  }

  describe.each(LANGUAGES)('the program in $name', ({ name, block, file, run, tool }) => {
    const isMissing = isSkipped({ name, tools: [[run[0], tool]] });
    beforeAll(() => writeFile(join(folder, file), blockOf(block)));

    (isMissing ? test.skip : test).each(CASES)(
      'prints what the page says, with %s',
      async (_what, { user, password, path }) => {
        const [program, ...args] = [...run, join(folder, file)];
        const env = {
          PATH: process.env['PATH'],
          HOME: homedir(),
          LC_ALL: 'C.UTF-8',
          SSO_URL: url,
          SSO_USER: user,
          SSO_PASSWORD: password,
          SERVICE: `http://localhost:9000${path}`,
        };
        const { stdout } = await promisify(execFile)(program, args, { env });
        expect(maskTickets(stdout)).toBe(
          maskTickets(OUTPUT.replace('user: casuser', `user: ${user}`)),
        );
      },
      60_000,
    );
  });
});

/** The first block of a language in the section with the programs. */
function blockOf(language: string): string {
  const section = PAGE.slice(PAGE.indexOf('## One program'));
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(section)?.[1];
  if (block === undefined) throw new Error(`the page has no block in ${language}`);
  return block;
}
