// Runs the Express application of docs/clients.md with a real SSO.
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runTour, maskTickets, extractTour } from '../support/console-tour.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { endPrograms, Program } from '../support/process.js';
import { startSso, type Sso } from '../support/sso.js';
import { freePort } from '../support/free-port.js';

const PAGE = await readFile('docs/clients.md', 'utf8');
const HEADING = 'Node\\.js with Express';
const REFUSED = { status: 401, body: 'a valid service ticket is needed\n' };

let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
  const source = new RegExp(`^## ${HEADING}\n.*?^\`\`\`js\n(.*?)^\`\`\`$`, 'ms').exec(PAGE)?.[1];
  await writeFile(`${folder}/app.mjs`, source ?? '');
  await symlink(resolve('node_modules'), `${folder}/node_modules`);
});
afterAll(() => removeFolder(folder));

describe.each(['documented', 'apereo'])('the Express example, in dialect %s', (dialect) => {
  let sso: Sso;
  let program: Program;
  let application: string;

  beforeAll(async () => {
    sso = await startSso({
      settings: [`--sso.dialect=${dialect}`],
      services: [
        { serviceId: '^http://localhost:.*', name: 'local', attributeRelease: { kind: 'all' } },
      ],
    });
    const port = await freePort();
    application = `http://localhost:${port}`;
    const env = { CAS_URL: sso.url, PORT: String(port) };
    program = Program.run([process.execPath, 'app.mjs'], { cwd: folder, env });
    await program.waitForOutput(/^listening on http/m);
  });
  afterAll(async () => {
    await endPrograms();
    await sso.close();
  });

  const grant = async (service = `${application}/`) => sso.grant(await sso.login(), service);
  const show = (ticket: string) => http('GET', application, `/?ticket=${ticket}`);

  test.each<[string, () => Promise<string> | string]>([
    ['no ticket', () => '/'],
    ['an empty ticket', () => '/?ticket='],
    ['a ticket that nobody issued', () => '/?ticket=ST-0aaaaaaaaaaaaaaaaaaaaaa'],
    ['a session in place of a ticket', async () => `/?ticket=${await sso.login()}`],
    ['a ticket of another service', async () => `/?ticket=${await grant('http://localhost:1/')}`],
    [
      'a ticket of another page of the same host',
      async () => `/?ticket=${await grant(`${application}/other`)}`,
    ],
    [
      'a ticket with a service of its own choice behind it',
      async () =>
        `/?ticket=${await grant('http://localhost:1/')}%26service=${encodeURIComponent('http://localhost:1/')}`,
    ],
    ['two tickets', async () => `/?ticket=${await grant()}&ticket=${await grant()}`],
  ])('refuses %s', async (_what, path) => {
    expect(await http('GET', application, await path())).toMatchObject(REFUSED);
  });

  test('shows its page once for a ticket, and refuses the spent one', async () => {
    const ticket = await grant();
    expect(await show(ticket)).toMatchObject({
      status: 200,
      body: '{"user":"casuser","mail":"casuser@example.org"}',
    });
    expect(await show(ticket)).toMatchObject(REFUSED);
  });

  test('answers 503 while tickets cannot be validated, and logs no ticket', async () => {
    const ticket = await grant();
    await sso.databaseProxy.set('refuse');
    try {
      expect((await show(ticket)).status).toBe(503);
      expect(program.stderr).toContain('cannot validate: validation answered 503\n');
      expect(program.stderr).not.toContain(ticket);
    } finally {
      await sso.databaseProxy.set('open');
    }
  });

  test('is called as the page shows', async () => {
    const tour = extractTour(PAGE, HEADING);
    const typed = tour
      .replaceAll('http://localhost:8080/cas', sso.url)
      .replaceAll('http://localhost:9000', application);
    expect(maskTickets(await runTour(typed))).toBe(maskTickets(typed));
  });
});
