// "Try it" of docs/oidc.md: its command, its application and its answer.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInChromium, signIn } from '../support/chromium.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { OIDC_SETTINGS } from '../support/oidc-client.js';
import { endPrograms, Program } from '../support/process.js';

const [, section = ''] = readFileSync('docs/oidc.md', 'utf8').split(/^## (?:Try it|Endpoints)$/m);
const blockIn = (language: string) =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1] ?? '';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await endPrograms();
  await database?.drop();
});

describeInChromium('docs/oidc.md', (open) => {
  test('its application signs a user in', async () => {
    const [port, applicationPort] = [await freePort(), await freePort()];
    const here = (text: string) =>
      text
        .replaceAll('localhost:8080', `localhost:${port}`)
        .replaceAll('5000', `${applicationPort}`);
    const server = Program.start('sso', [
      '--profiles.active=dev',
      `--database.url=${database.url}`,
      `--sso.port=${port}`,
      here('--sso.base-url=http://localhost:8080/cas'),
      '--management.port=0',
      ...OIDC_SETTINGS,
    ]);
    await server.waitForOutput(/"msg":"listening"/);

    const env = { DATABASE_URL: database.url };
    const added = Program.run(['sh', '-c', here(blockIn('sh'))], { env });
    const [, secret = ''] = await added.waitForOutput(/secret: (\S+)/);

    const application = Program.run(
      [process.execPath, '--input-type=module', '--eval', here(blockIn('js'))],
      { env: { CLIENT_SECRET: secret } },
    );
    const url = here('http://localhost:5000/');
    await application.waitForOutput(new RegExp(`open ${url}`));
    const page = await open();
    await page.goto(url);
    await signIn(page);
    expect(JSON.parse(await page.locator('body').innerText())).toEqual(JSON.parse(blockIn('json')));
  });
});
