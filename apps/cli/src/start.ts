// `tessera start`: starts the applications, and prints a welcome text.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { besideSso, childEnvironment, offersEmbeddedDatabase } from '@tessera/runtime';
import type { ReadyMessage } from '@tessera/server';
import { CliError } from './cli-error.js';
import { Fleet, type Announcements } from './fleet.js';
import { splitArguments } from './settings-arguments.js';
import { StartDatabase } from './start-database.js';
import { lockStart } from './start-locks.js';
import { escapeForTerminal } from './terminal.js';

const NAMES = ['sso', 'config-server'];

/** Adds `start [application]`. All further arguments are settings of the applications. */
export function registerStartCommand(program: Command): void {
  program
    .command('start')
    .description('start the SSO application and the config server (profile dev by default)')
    .argument('[arguments...]', `an application alone (${NAMES.join(' or ')}); settings`)
    .allowUnknownOption()
    .action(async ([first, ...others]: readonly string[]) => {
      const only = NAMES.find((application) => application === first);
      if (only === undefined && first?.startsWith('-') === false) {
        throw new CliError(
          `there is no application ${escapeForTerminal(first)}: ${NAMES.join(', ')}`,
        );
      }
      const settings = only === undefined && first !== undefined ? [first, ...others] : others;
      refuseShortOptions(settings, only);
      if (only === undefined) refuseSharedPort(settings);
      const names = NAMES.filter((name) => only === undefined || name === only);
      const locks = await lockStart(names, splitArguments(settings).settings);
      const members = names.map((name) => ({
        name,
        main: pathOf(`../../${name}/src/main.js`),
        env: {
          ...childEnvironment({ PROFILES_ACTIVE: 'dev', ...(only === undefined && besideSso()) }),
          ...offersEmbeddedDatabase(),
        },
      }));
      const database = new StartDatabase();
      const greet = (announcements: Announcements): void => {
        process.stdout.write(welcome(announcements, homeHere()));
      };
      process.exitCode = await new Fleet(members, settings, greet, () => database.answer()).run();
      await database.stop();
      for (const lock of locks) lock.release();
    });
}

/** The port and the host are settings of each application. @throws CliError with the setting to give */
function refuseShortOptions(args: readonly string[], only = 'sso'): void {
  for (const [index, arg] of args.entries()) {
    const [, option, name = 'port', joined] = /^(-p|--(port|host))(?:=(.*))?$/s.exec(arg) ?? [];
    if (option === undefined) continue;
    const value = escapeForTerminal(joined ?? args[index + 1] ?? '…');
    throw new CliError(`there is no option ${option}: give --${only}.${name}=${value}`);
  }
}

/** Both applications would listen on it; 0 turns both management servers off. @throws CliError */
function refuseSharedPort(args: readonly string[]): void {
  const { settings } = splitArguments(args);
  const port = settings.find((each) => /^--management\.port=(?!0+$)/.test(each));
  if (port === undefined) return;
  throw new CliError(
    'both applications read management.port, and each needs a port of its own: ' +
      'give --sso.management.port=<number> or --config-server.management.port=<number>',
  );
}

/** @param path relative to this file after the build */
function pathOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** The text after the start: the URLs, and what to try in profile dev. @param home where `bin/tessera` is, if that is of use */
export function welcome(announcements: Announcements, home?: string): string {
  const sso = announcements.get('sso');
  const configServer = announcements.get('config-server');
  const lines = [
    '',
    'Tessera is running.',
    ...(sso?.loginPage ? [`  login page     ${sso.loginPage}`] : []),
    ...(sso ? [`  SSO API        ${sso.listening}`] : []),
    ...(sso?.issuer ? [`  OpenID Connect ${sso.issuer}`] : []),
    ...(configServer ? [`  config server  ${configServer.listening}`] : []),
    ...(sso?.console ? [`  console        ${sso.console}`] : []),
    ...(sso?.management ? [`  SSO metrics    ${sso.management}/metrics`] : []),
    ...(configServer?.management ? [`  config metrics ${configServer.management}/metrics`] : []),
    '',
    ...(sso?.isDemo ? ticketExamples(sso) : []),
    ...(configServer?.isDemo ? configExamples(configServer.listening) : []),
    ...(sso && home !== undefined ? commandExamples(home) : []),
    'Ctrl-C stops everything.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function commandExamples(home: string): readonly string[] {
  return ['Add a user, from any directory:', '', `  ${home}/bin/tessera user add ann`, ''];
}

/** The folder of the installation, if this process runs there as `bin/tessera` does: both then have one database. */
function homeHere(): string | undefined {
  const home = resolve(pathOf('../../../..'));
  return home === process.cwd() ? home : undefined;
}

function ticketExamples({
  listening: sso,
  loginPage,
  hasOwnDatabase,
}: ReadyMessage): readonly string[] {
  const database = hasOwnDatabase ? ' embedded PostgreSQL in .data/postgres,' : '';
  return [
    `This is a development set-up: demo user casuser with password Mellon,${database}`,
    `services on localhost. ${loginPage ? 'See it in a browser, with three demo applications:' : ''}`.trimEnd(),
    '',
    ...(loginPage ? [`  CAS_URL=${sso} npm run demo`, ''] : []),
    'Over REST: log in, get a service ticket, redeem it:',
    '',
    `  TGT=$(curl -s -H 'Accept: text/plain' -d 'username=casuser&password=Mellon' ${sso}/v1/tickets)`,
    `  ST=$(curl -s -d 'service=http://localhost:9000/app' ${sso}/v1/tickets/$TGT)`,
    `  curl "${sso}/p3/serviceValidate?service=http://localhost:9000/app&ticket=$ST"`,
    '',
  ];
}

function configExamples(server: string): readonly string[] {
  return [
    'The config server serves ./config-repo, and has a key of its own in .data. Fetch settings, encrypt a secret, decrypt it:',
    '',
    `  curl ${server}/orders/prod`,
    `  SECRET=$(curl -s -H 'Content-Type: text/plain' -d 'pass+word' ${server}/encrypt)`,
    `  curl -H 'Content-Type: text/plain' -d "$SECRET" ${server}/decrypt`,
    '',
  ];
}
