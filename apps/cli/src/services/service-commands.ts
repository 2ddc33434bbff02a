// `tessera service …`: the commands and their options. What each does is in a file of its own.
import { type Command, Option } from 'commander';
import type { OpenDatabase } from '../database.js';
import { addService, removeService } from './service-changes.js';
import { importServices } from './service-import.js';
import { listServices } from './service-list.js';

/** Adds `service` and its subcommands to `program`, whose output they write to. */
export function registerServiceCommands(program: Command, openDatabase: OpenDatabase): void {
  const write = (line: string): void => {
    program.configureOutput().writeOut?.(`${line}\n`);
  };
  const service = program
    .command('service')
    .description('the applications that may use single sign-on; see docs/services.md');
  registerAdd(service).action((serviceId: string, options: { readonly name: string }) =>
    addService(serviceId, options, { openDatabase, write }),
  );
  service
    .command('list')
    .description('all services, in the order in which they are tried')
    .option('--json', 'as a JSON array, with all fields')
    .action((options: { readonly json?: boolean }) =>
      listServices(options, { openDatabase, write }),
    );
  service
    .command('remove')
    .description('remove a service')
    .argument('<id>', 'the number that list shows')
    .action((id: string) => removeService(id, { openDatabase, write }));
  service
    .command('import')
    .description('add or update the services of JSON files as Apereo CAS has them')
    .argument('<path>', 'a file, or a directory of *.json files')
    .option('--dry-run', 'report what would be done and write nothing')
    .action((path: string, options: { readonly dryRun?: boolean }) =>
      importServices(path, options, { openDatabase, write }),
    );
}

function registerAdd(service: Command): Command {
  return service
    .command('add')
    .description('add a service, and print its number')
    .argument('<pattern>', 'the URLs of the service: RE2 syntax, matched as a whole')
    .requiredOption('--name <name>', 'its name')
    .option('--description <text>', 'what it is')
    .option('--order <number>', 'its place: services of lower numbers are tried first')
    .option('--disabled', 'match its URLs and refuse them')
    .option('--no-sso', 'ask for a fresh login each time')
    .option('--require <name=value>', 'an attribute users must have; repeat it for more', collect)
    .addOption(new Option('--release-all', 'release all attributes').conflicts('release'))
    .option('--release <name[=as]>', 'release an attribute, under a name of its own', collect)
    .addOption(new Option('--username-attribute <name>', 'the attribute to use as the user name'))
    .addOption(
      new Option('--anonymous', 'give a pseudonym for the user name').conflicts(
        'usernameAttribute',
      ),
    )
    .option('--proxy <pattern>', 'callback URLs it may get proxy tickets with')
    .addOption(new Option('--logout <type>', 'how it hears of logouts: none, back or front'))
    .option('--logout-url <url>', 'where it hears of logouts')
    .option('--property <name=value>', 'a property, such as dialect=apereo', collect);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
