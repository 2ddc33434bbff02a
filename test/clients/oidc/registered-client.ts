// Registers an application as its page in docs/clients says, and changes the registration.
import { blocksBelow } from '../../deploy/document-code.js';
import { runTessera } from '../../support/command-line.js';
import { http } from '../../support/http.js';
import { until } from '../../support/until.js';
import { pathOf } from '../guides/guide-page.js';
import type { RunningService } from '../running-service.js';

/** The client id on every page. */
const CLIENT_ID = 'app';

/**
 * Runs the command of the page, and waits until the server knows the client.
 *
 * @param site URL of the application, in place of that on the page
 * @returns the secret; empty for a public client
 */
export async function registerClient(
  server: RunningService,
  page: string,
  site: string,
): Promise<string> {
  const [command = ''] = blocksBelow(pathOf(page), '## Register it', 'sh');
  const [, ...args] = command
    .replaceAll('\\\n', ' ')
    .replaceAll('http://localhost:9000', site)
    .split(/\s+/);
  const { secret = '' } = JSON.parse(await tessera(server, [...args, '--json'])) as {
    readonly secret?: string;
  };
  await until('the server knows the client', async () => {
    const [, redirectUri = ''] = /--redirect-uri (\S+)/.exec(args.join(' ')) ?? [];
    const query = new URLSearchParams({ client_id: CLIENT_ID, redirect_uri: redirectUri });
    // Until then it shows an error; then it sends one to the client.
    const { headers } = await http('GET', server.url, `/oidc/authorize?${query.toString()}`);
    return headers.location?.startsWith(redirectUri);
  });
  return secret;
}

export async function updateClient(
  server: RunningService,
  ...options: readonly string[]
): Promise<void> {
  await tessera(server, ['client', 'update', CLIENT_ID, ...options]);
}

async function tessera({ database }: RunningService, args: readonly string[]): Promise<string> {
  const settings = ['--profiles.active=dev', `--database.url=${database.url}`];
  const { exitCode, stdout, stderr } = await runTessera([...args, ...settings]);
  if (exitCode !== 0) throw new Error(`tessera ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}
