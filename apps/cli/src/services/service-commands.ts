// The commands `tessera service …` with their options.
import { type Command, Option } from 'commander';
import type { OpenDatabase } from '../database.js';
import { callerPath } from '../input.js';
import { registerClientCommands } from './client-commands.js';
import {
  addService,
  type AddServiceOptions,
  removeService,
  type ServiceCommandContext,
  setServiceEnabled,
  updateService,
} from './service-changes.js';
import { type ImportCommandOptions, importServices } from './service-import.js';
import { listServices, showService } from './service-views.js';
import { type ServiceOptions, withDefaultOptions, withFieldOptions } from './service-options.js';

const ID = 'the number that list shows';
const PATTERN = 'the URLs of the service: RE2 syntax, matched as a whole';
const UPDATE_NOTES = `
An option replaces its whole field: --require site=x drops all other requirements.
--no-<option> puts the field back to its default.

Examples:
  tessera service update 2 --pattern '^https://notes\\.example\\.org/.*' --name Notes
  tessera service update 2 --release mail --release uid=login --no-require`;

const DISABLE_NOTES = `
An import enables the service again when its file is there, and so does a start that imports.
Disable it in the file: "enabled": false in its accessStrategy.`;

/** Adds `service`, `client` and their subcommands to `program`, whose output they write to. */
export function registerServiceCommands(program: Command, openDatabase: OpenDatabase): void {
  const write = (line: string): void => {
    program.configureOutput().writeOut?.(`${line}\n`);
  };
  const warn = (line: string): void => {
    program.configureOutput().writeErr?.(`${line}\n`);
  };
  const service = program
    .command('service')
    .description('the applications that may use single sign-on; see docs/services.md');
  const context = { openDatabase, write, warn };
  registerChanges(service, context);
  registerViews(service, context);
  registerClientCommands(program, context);
  service
    .command('import')
    .description('add or update the services of JSON files as Apereo CAS has them')
    .argument('<path>', 'a file, or a directory with *.json files in it or below', callerPath)
    .option('--dry-run', 'report what would be done and write nothing')
    .option('--skip-unreadable', 'import the other files where some are refused')
    .option('--summary', 'a table with one line for each file')
    .addOption(new Option('--json', 'the report as a JSON object').conflicts('summary'))
    .action((path: string, options: ImportCommandOptions) =>
      importServices(path, options, context),
    );
}

function registerChanges(service: Command, context: ServiceCommandContext): void {
  registerAdd(service).action((pattern: string, options: AddServiceOptions) =>
    addService(pattern, options, context),
  );
  registerUpdate(service).action((id: string, options: ServiceOptions) =>
    updateService(id, options, context),
  );
  service
    .command('enable')
    .description('allow a disabled service again')
    .argument('<id>', ID)
    .action((id: string) => setServiceEnabled(id, true, context));
  service
    .command('disable')
    .description('match the URLs of a service and refuse them')
    .argument('<id>', ID)
    .addHelpText('after', DISABLE_NOTES)
    .action((id: string) => setServiceEnabled(id, false, context));
  service
    .command('remove')
    .description('remove a service')
    .argument('<id>', ID)
    .action((id: string) => removeService(id, context));
}

function registerViews(service: Command, context: ServiceCommandContext): void {
  service
    .command('list')
    .description('all services, in the order in which they are tried')
    .option('--json', 'as a JSON array, with all fields')
    .action((options: { readonly json?: boolean }) => listServices(options, context));
  service
    .command('show')
    .description('one service, with all fields')
    .argument('<id>', ID)
    .option('--json', 'as a JSON object')
    .action((id: string, options: { readonly json?: boolean }) =>
      showService(id, options, context),
    );
}

function registerAdd(service: Command): Command {
  return withFieldOptions(
    service
      .command('add')
      .description('add a service, and print its number')
      .argument('<pattern>', PATTERN)
      .requiredOption('--name <name>', 'its name')
      .option('--disabled', 'match its URLs and refuse them'),
  );
}

function registerUpdate(service: Command): Command {
  const command = service
    .command('update')
    .description('change the fields of a service that options name; all others stay')
    .argument('<id>', ID)
    .option('--pattern <pattern>', PATTERN)
    .option('--name <name>', 'its name')
    .addHelpText('after', UPDATE_NOTES);
  return withDefaultOptions(withFieldOptions(command));
}
