// `npm run stack` runs docker-compose.yml as plain processes, on which the tour of docs/docker.md works.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { CookieBrowser } from '../clients/web/cookie-browser.js';
import { runTour, maskTickets, extractTour } from '../support/console-tour.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { until } from '../support/until.js';
import { describeWithVault } from '../support/vault.js';
import { RunningStack } from './running-stack.js';

const TOUR = extractTour(readFileSync('docs/docker.md', 'utf8'), 'Tour');
const SCRIPTS = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

test('is what `npm run stack` runs', () => {
  expect(SCRIPTS.scripts['stack']).toBe('exec node --disable-sigusr1 tools/stack/main.ts');
});

test('says so where no Vault is to be had, and starts nothing', async () => {
  const folder = await makeFolder();
  const stack = RunningStack.spawn({ HOME: folder, PATH: folder });
  expect(await stack.ended).toEqual({
    code: 1,
    output:
      'building Vault for the tests, once: this takes minutes\nstack: there is no Vault here, and none can be built: that needs Go\n',
  });
  await removeFolder(folder);
});

describeWithVault('npm run stack', () => {
  let stack: RunningStack | undefined;

  afterEach(() => stack?.stop());

  test('leads through the tour of docs/docker.md, starts Vault again, and ends with all where a service dies, with 1', async () => {
    stack = await RunningStack.start();
    const { sso, config } = stack.ports;
    const here = TOUR.replaceAll(':8080/', `:${sso}/`).replaceAll(':8888', `:${config}`);
    expect(TOUR).toContain('serviceValidate');
    expect(maskTickets(await runTour(here))).toBe(maskTickets(here));

    await expectDemo(stack, `http://localhost:${sso}/cas`);

    // Vault is the only source of the secrets.
    const variables = stack.environmentOf('apps/sso/');
    expect(variables).toContain('VAULT_TOKEN=');
    expect(variables).not.toMatch(/postgres:|DATABASE|Mellon/);
    // The same options as in the image.
    expect(stack.commandLineOf('apps/sso/')).toContain(
      ['--disable-sigusr1', '--max-semi-space-size=8', '--no-allocation-site-pretenuring'].join(
        '\0',
      ),
    );

    await expectVaultIsStartedAgain(stack);

    stack.kill('apps/config-server/');
    const { code, output } = await stack.ended;
    expect(code).toBe(1);
    expect(output).toContain('\nstack: config-server ended with SIGKILL\n');
    await stack.untilNothingRuns();
  });

  test('ends with all it has started on Ctrl-C, also while others start, with 0', async () => {
    stack = await RunningStack.start(/config-server \| /);
    stack.signal('SIGINT');
    expect(await stack.ended).toMatchObject({ code: 0 });
    await stack.untilNothingRuns();
  });
});

/** Expects that Wiki signs a user in, gets entries of Calendar by proxy, and is told of the logout. */
async function expectDemo(stack: RunningStack, sso: string): Promise<void> {
  const [, wiki = ''] = await stack.waitForOutput(/demo +(http:[^\s,]+), http\S+ and http/);
  const form = { username: 'casuser', password: 'Mellon' };
  const { headers } = await http('POST', sso, '/v1/tickets', { form });
  const tgt = `/v1/tickets/${String(headers.location).split('/').at(-1)}`;
  const { body: ticket } = await http('POST', sso, tgt, { form: { service: `${wiki}/sign-in` } });
  const browser = new CookieBrowser();
  const { body } = await browser.open(`${wiki}/sign-in?ticket=${ticket}`);
  expect(body).toContain('Coffee with casuser');
  await http('DELETE', sso, tgt);
  await until('Wiki is told of the logout', async () =>
    (await browser.open(wiki)).body.includes('Single logout:'),
  );
}

/** Kills Vault, and expects another one with the same secrets. */
async function expectVaultIsStartedAgain(stack: RunningStack): Promise<void> {
  const [, address] = await stack.waitForOutput(/Vault +(http:\S+)/);
  const headers = { 'X-Vault-Token': 'sso-for-development-only' };
  const secret = async (): Promise<unknown> => {
    const answer = await fetch(`${address}/v1/secret/data/sso`, { headers }).catch(() => {});
    if (answer?.ok !== true) return undefined;
    const { data } = (await answer.json()) as { readonly data: { readonly data: unknown } };
    return data.data;
  };
  const seed = await secret();
  expect(seed).toMatchObject({ 'sso.authentication.static.users': 'casuser::Mellon' });
  stack.kill('vault-dev');
  await stack.waitForOutput(/^stack: vault ended with SIGKILL; starting it again$/m);
  expect(await until('Vault is seeded', secret)).toEqual(seed);
}
