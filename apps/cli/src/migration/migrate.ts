// Runs `tessera migrate`: reads the old settings, converts them, reports, and writes the new directory.
import 'reflect-metadata';
import { chmod, copyFile, cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf, describeReadError, writePrivateFile } from '@tessera/runtime';
import { EMPTY_REGISTRY, importServiceFiles } from '@tessera/services';
import { CliError } from '../cli-error.js';
import { escapeForTerminal, type Terminal, writeLine } from '../terminal.js';
import { convertSettings } from './convert-settings.js';
import { jsonMigrationReport, type MigrationReport, textReport } from './migration-report.js';
import { findServices } from './old-services.js';
import { decrypterOf, type SecretOptions } from './old-secrets.js';
import { type OldSetting, readOldSettings } from './old-settings.js';
import { nextSteps, usersName } from './next-steps.js';
import type { Application, ReportEntry, SettingsDraft } from './settings-draft.js';
import { settingsText } from './settings-file.js';
import { refuseTaken, writeDirectory } from './target-directory.js';

export interface MigrateOptions extends SecretOptions {
  /** The new directory. */
  readonly into: string;
  /** Names between commas. */
  readonly profiles?: string;
  /** An export of users. */
  readonly users?: string;
  /** Keys or groups that may make sign-in weaker. */
  readonly accept?: readonly string[];
  readonly json?: boolean;
}

interface Plan {
  readonly draft: SettingsDraft;
  /** The directory of the old service files. */
  readonly services: string | undefined;
  readonly report: MigrationReport;
  /** Keys or groups that are not accepted. */
  readonly unaccepted: ReadonlySet<string>;
}

/** @throws CliError, after the report, where something makes sign-in weaker and is not accepted: then nothing is written */
export async function migrate(
  directory: string,
  options: MigrateOptions,
  terminal: Terminal,
): Promise<void> {
  const into = resolve(options.into);
  await refuseTaken(into);
  const plan = await planOf(directory, { ...options, into }, terminal);
  const { report, unaccepted } = plan;
  if (report.written) await writeAll(into, plan, options.users);
  writeLine(terminal.stdout, options.json ? jsonMigrationReport(report) : textReport(report));
  if (report.written) return;
  const flags = [...unaccepted].map((key) => `--accept ${escapeForTerminal(key)}`).join(' ');
  throw new CliError(`nothing is written: logins would be weaker; to accept that, give ${flags}`);
}

async function planOf(
  directory: string,
  options: MigrateOptions,
  terminal: Terminal,
): Promise<Plan> {
  const { into, users, accept = [] } = options;
  const { settings, profiles, unreadFiles } = await readOldSettings(
    directory,
    namesIn(options.profiles),
    (encrypted) => decrypterOf(encrypted, options, terminal),
  );
  const application = applicationOf(settings);
  const services = application === 'sso' ? await findServices(directory, settings) : undefined;
  const newServices = services && join(into, 'services');
  const place = { application, services: newServices, hasUsers: users !== undefined };
  const draft = await convertSettings(settings, place);
  const imported =
    services === undefined
      ? undefined
      : await importServiceFiles(EMPTY_REGISTRY, services, { dryRun: true });
  const entries = withAcceptance(draft.entriesOf(settings), accept);
  const unaccepted = new Set(entries.flatMap(keyToAccept));
  const next = nextSteps({ into, application, draft, imported, users, old: settings });
  const written = unaccepted.size === 0;
  const about = { application, into, written, profiles, unreadFiles };
  return { draft, services, unaccepted, report: { ...about, entries, services: imported, next } };
}

async function writeAll(
  into: string,
  { draft, services, report }: Plan,
  users: string | undefined,
): Promise<void> {
  const title = 'Written by tessera migrate. A comment is the old key of the value below it.';
  await writeDirectory(into, async (directory) => {
    const text = settingsText(draft.settings, title);
    await writePrivateFile(join(directory, `${report.application}.yml`), text);
    await writePrivateFile(join(directory, 'report.txt'), `${textReport(report)}\n`);
    if (services !== undefined) {
      await copyServices(services, join(directory, 'services'));
    }
    if (users !== undefined) await copyUsers(users, directory);
  });
}

/** Relative links stay as they are: one that leads out of the directory is refused at the start, as in the report. */
async function copyServices(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
  } catch (error) {
    throw new CliError(`the service files in ${from} cannot be copied (${codeOf(error)})`);
  }
}

/** For its owner alone: it has hashes, or passwords. */
async function copyUsers(from: string, directory: string): Promise<void> {
  const path = join(directory, usersName(from));
  try {
    await copyFile(from, path);
    await chmod(path, 0o600);
  } catch (error) {
    throw new CliError(`${from} ${describeReadError(error)}`);
  }
}

function namesIn(profiles: string | undefined): readonly string[] | undefined {
  return profiles
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function applicationOf(settings: readonly OldSetting[]): Application {
  const has = (prefix: string): boolean => settings.some(({ name }) => name.startsWith(prefix));
  return !has('cas.') && (has('spring.cloud.config.server.') || has('encrypt.'))
    ? 'config-server'
    : 'sso';
}

/** @throws CliError for a key that need not be accepted */
function withAcceptance(
  entries: readonly ReportEntry[],
  accepted: readonly string[],
): readonly ReportEntry[] {
  const namesOf = ({ key, accept = key }: ReportEntry): readonly string[] => [key, accept];
  const weaker = entries.filter(({ section }) => section === 'weaker').flatMap(namesOf);
  const unknown = accepted.find((each) => !weaker.includes(each));
  if (unknown !== undefined) {
    const shown = escapeForTerminal(unknown);
    throw new CliError(`--accept ${shown}: no such setting makes sign-in weaker`);
  }
  return entries.map((entry) =>
    entry.section === 'weaker'
      ? { ...entry, accepted: namesOf(entry).some((each) => accepted.includes(each)) }
      : entry,
  );
}

function keyToAccept({ key, accept = key, accepted }: ReportEntry): readonly string[] {
  return accepted === false ? [accept] : [];
}
