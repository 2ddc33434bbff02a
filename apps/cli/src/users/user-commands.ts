// The commands `tessera user …` with their options.
import { type Command, Option } from 'commander';
import { IMPORT_FORMATS } from '@tessera/accounts';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../database.js';
import { callerPath } from '../input.js';
import {
  addAccount,
  removeAccount,
  setAccount,
  setAccountDisabled,
  setAccountPassword,
} from './user-accounts.js';
import { importAccounts } from './user-import.js';
import { listAccounts, showAccount } from './user-list.js';

/** Adds `user` and its subcommands to `program`. */
export function registerUserCommands(program: Command, context: CommandContext): void {
  const user = program
    .command('user')
    .description('users who log in with a name and a password')
    .addHelpText('after', '\nPasswords are read from a prompt, or as one line of standard input.');
  registerPasswordCommands(user, context);
  registerChanges(user, context);
  registerViews(user, context);
  user
    .command('import')
    .description('add or update many users from a file; see docs/users.md')
    .argument('<file>', 'CSV, JSON, LDIF or htpasswd', callerPath)
    .option('--format <format>', `${IMPORT_FORMATS.join(', ')}; else by the end of its name`)
    .option('--name-attribute <attribute>', 'LDIF: the attribute that is the user name (uid)')
    .option('--attributes <names>', 'LDIF: the attributes to keep, between commas')
    .option('--update', 'change users that exist; what the file does not mention stays')
    .option('--skip-faulty', 'import the entries without fault, leave the others out')
    .option('--dry-run', 'check everything and write nothing')
    .action((file: string, options: object) => importAccounts(file, options, context));
}

function registerChanges(user: Command, context: CommandContext): void {
  withAccountOptions(user.command('set'))
    .description('change attributes or the expiry of a user; all others stay')
    .argument('<name>')
    .option('--remove-attribute <name>', 'remove an attribute; repeat it for more', collect)
    .action((name: string, options: object) => setAccount(name, options, context));
  user
    .command('disable')
    .description('refuse the logins of a user, and end the sessions')
    .argument('<name>')
    .action((name: string) => setAccountDisabled(name, true, context));
  user
    .command('enable')
    .description('allow the logins of a disabled user again')
    .argument('<name>')
    .action((name: string) => setAccountDisabled(name, false, context));
  user
    .command('remove')
    .description(
      'remove a user and end the sessions; disable instead to refuse certificates and LDAP logins of the name',
    )
    .argument('<name>')
    .action((name: string) => removeAccount(name, context));
}

function registerViews(user: Command, context: CommandContext): void {
  user
    .command('list')
    .description('all users, without their passwords')
    .option('--json', 'as a JSON array, with attributes and dates')
    .action((options: { json?: boolean }) => listAccounts(options, context));
  user
    .command('show')
    .description('one user, without the password')
    .argument('<name>')
    .option('--json', 'as a JSON object')
    .action((name: string, options: { json?: boolean }) => showAccount(name, options, context));
}

function registerPasswordCommands(user: Command, context: CommandContext): void {
  withPasswordOptions(withAccountOptions(user.command('add')))
    .description('add a user')
    .argument('<name>')
    .action((name: string, options: object) => addAccount(name, options, context));
  withPasswordOptions(user.command('passwd'))
    .description('set the password of a user, and end the sessions')
    .argument('<name>')
    .action((name: string, options: object) => setAccountPassword(name, options, context));
}

function withAccountOptions(command: Command): Command {
  return command
    .option('--attribute <name=value>', 'an attribute; repeat it for more', collect)
    .option('--expires <date>', 'the day or time from which logins are refused, or never');
}

function withPasswordOptions(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read the password from a file', callerPath)
    .addOption(new Option('--password <password>').hideHelp().argParser(refusePassword));
}

/** @throws CliError */
function refusePassword(): never {
  throw new CliError(
    'a password is no argument, which every user of the machine can read: ' +
      'give --password-stdin or --password-file, or neither for a prompt',
  );
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
