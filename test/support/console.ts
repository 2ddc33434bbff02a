// The built SSO with its console, as operators use it.
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestDatabase } from './database.js';
import { freePort } from './free-port.js';
import { http } from './http.js';
import { Program } from './process.js';

/** memberOf=admin makes a user an operator, memberOf=auditor a reader. */
const USERS = 'casuser::Mellon,reader::Mellon,ann::Mellon,ben::Mellon';
const ATTRIBUTES = {
  casuser: { memberOf: ['admin'] },
  reader: { memberOf: ['auditor'] },
  ann: { memberOf: ['staff'] },
  ben: { memberOf: ['staff'] },
};

export interface RunningConsole {
  /** Base URL of the SSO. */
  readonly sso: string;
  /** URL of the page. */
  readonly url: string;
}

/** @param database migrated @param folder may contain a settings file */
export async function startConsole(
  database: TestDatabase,
  folder: string,
): Promise<RunningConsole> {
  const [port, management] = [await freePort(), await freePort()];
  const sso = `http://127.0.0.1:${port}/cas`;
  const url = `http://console.localhost:${management}`;
  const program = Program.start('sso', [
    '--profiles.active=dev',
    `--settings.location=${folder}`,
    `--database.url=${database.url}`,
    `--sso.port=${port}`,
    `--sso.base-url=${sso}`,
    '--sso.services.import=',
    '--audit.tickets=true',
    `--management.port=${management}`,
    `--sso.authentication.static.users=${USERS}`,
    `--sso.authentication.static.attributes=${JSON.stringify(ATTRIBUTES)}`,
    '--logging.level.root=error',
    '--logging.level.server=info',
  ]);
  await program.waitForOutput(/"msg":"listening"/);
  return { sso, url: `${url}/console/` };
}

/** Opens a page of the console by its link in the navigation. */
export async function goToPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Signs in from the page for those who are signed out. */
export async function signInToConsole(page: Page, url: string, user = 'casuser'): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'User name' }).fill(user);
  await page.getByRole('textbox', { name: 'Password' }).fill('Mellon');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(url);
}

/** The dashboard reads the metrics every five seconds. */
export async function nextReading(page: Page): Promise<void> {
  await Promise.all([page.waitForResponse(/\/api\/v1\/metrics$/), page.clock.fastForward(5_000)]);
}

/**
 * Faults that the browser reports, and hosts that it calls.
 *
 * @param refusals requests that the test makes the server refuse, such as `404 /api/v1/users/ann`
 */
export function watch(
  page: Page,
  refusals: readonly string[] = [],
): { readonly faults: string[]; readonly hosts: Set<string> } {
  const expected = ['401 /api/v1/me', ...refusals];
  const seen = { faults: [] as string[], hosts: new Set<string>() };
  page.on('pageerror', ({ message }) => seen.faults.push(message));
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    const [, status = ''] = /with a status of (\d+)/.exec(message.text()) ?? [];
    const refused = `${status} ${URL.parse(message.location().url)?.pathname}`;
    if (!expected.includes(refused)) seen.faults.push(`${message.text()} ${refused}`);
  });
  page.on('request', (request) => seen.hosts.add(new URL(request.url()).hostname));
  return seen;
}

/** A user signs in to an application over REST, and the application validates the ticket. @returns the session */
export async function visitApplication(
  sso: string,
  service: string,
  username: string,
): Promise<string> {
  const form = { username, password: 'Mellon' };
  const headers = { accept: 'text/plain' };
  const { body: tgt } = await http('POST', sso, '/v1/tickets', { form, headers });
  const { body: st } = await http('POST', sso, `/v1/tickets/${tgt}`, { form: { service } });
  const query = new URLSearchParams({ service, ticket: st }).toString();
  expect((await http('GET', sso, `/p3/serviceValidate?${query}`)).status).toBe(200);
  return tgt;
}

/** A file of Apereo CAS for the application at a URL, with a comment and a member that has no effect here. */
export const apereoFile = (url: string): string => `{
  // the wiki of the staff
  "@class": "org.apereo.cas.services.CasRegisteredService",
  "serviceId": "^${url.replaceAll('.', '\\\\.')}/.*",
  "name": "Wiki", "id": 1001, "evaluationOrder": 10, "theme": "blue",
  "accessStrategy": {
    "@class": "org.apereo.cas.services.DefaultRegisteredServiceAccessStrategy",
    "requiredAttributes": { "@class": "java.util.HashMap",
      "memberOf": [ "java.util.HashSet", [ "staff" ] ] } } }`;
