// Builds the program `tessera` from its commands and runs it. An error becomes one line and an exit code.
import { Command, CommanderError } from 'commander';
import { productVersion } from '@tessera/runtime';
import { CIPHER_COMMANDS, registerCipherCommands } from './encryption/cipher-commands.js';
import { KEYGEN_COMMANDS, registerKeygenCommand } from './encryption/keygen-command.js';
import { MIGRATE_COMMANDS, registerMigrateCommand } from './migration/migrate-command.js';
import { registerRotateCommand, ROTATE_COMMANDS } from './rotation/rotate-command.js';
import { splitArguments } from './settings-arguments.js';
import { registerSettingsCommand, SETTINGS_COMMANDS } from './settings-command.js';
import { registerStartCommand } from './start.js';
import { escapeLinesForTerminal, writeLine, type Terminal } from './terminal.js';

const SETTINGS_HELP = `
Settings may be given to every command as --key=value, for instance
  --database.url=postgresql://…  --profiles.active=production  --settings.location=/etc/tessera
They are read from the files and the environment of the SSO application too, by encrypt, decrypt and
rotate from those of the config server.`;

/** Commands and options that do not load the code of the database. */
const COMMANDS_WITHOUT_DATABASE = [
  ...CIPHER_COMMANDS,
  ...ROTATE_COMMANDS,
  ...KEYGEN_COMMANDS,
  ...SETTINGS_COMMANDS,
  ...MIGRATE_COMMANDS,
  '--version',
  '-V',
];

/**
 * Runs one command.
 *
 * @param argv the arguments after the program's name
 * @returns the exit code: 0, or another after one line on standard error
 */
export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { settings, rest } = splitArguments(argv);
  const program = describeProgram(terminal);
  const [command = ''] = rest;
  const isStart = command === 'start';
  registerCipherCommands(program, settings, terminal);
  registerRotateCommand(program, settings, terminal);
  registerKeygenCommand(program, terminal);
  registerSettingsCommand(program, settings, terminal);
  registerMigrateCommand(program, terminal);
  if (!isStart && !COMMANDS_WITHOUT_DATABASE.includes(command)) {
    const { registerDatabaseCommands } = await import('./database-commands.js');
    registerDatabaseCommands(program, settings, terminal);
  }
  registerStartCommand(program);
  try {
    // The applications that `start` starts read the settings themselves.
    await program.parseAsync(isStart ? [...rest, ...settings] : rest, { from: 'user' });
    return 0;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

function describeProgram(terminal: Terminal): Command {
  return new Command('tessera')
    .description('Single sign-on tickets and a config server: users, services, secrets, start.')
    .version(productVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      // Commander quotes arguments unescaped.
      writeErr: (text) => terminal.stderr.write(escapeLinesForTerminal(text)),
      outputError: (text, write) => write(text.replace(/^error:/, 'tessera:')),
    })
    .addHelpText('after', SETTINGS_HELP);
}

/** Errors of commander are already printed. */
function exitCodeOf(error: unknown, { stderr }: Terminal): number {
  if (error instanceof CommanderError) {
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  // The message may quote file names and other input, so each line is escaped.
  writeLine(stderr, `tessera: ${escapeLinesForTerminal(message)}`);
  // SettingsError and CliError have an exit code.
  const { exitCode = 1 } = error as { readonly exitCode?: number };
  return exitCode;
}
