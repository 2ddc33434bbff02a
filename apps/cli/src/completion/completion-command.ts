// `tessera completion`: the command. What commands there are is read from the program; how shells are told, in a file each.
import { Argument, type Command } from 'commander';
import { writeLine, type Terminal } from '../terminal.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const NOTES = `
Examples:
  source <(tessera completion bash)                                 in ~/.bashrc
  tessera completion zsh > ~/.zfunc/_tessera                        in a directory of $fpath
  tessera completion fish > ~/.config/fish/completions/tessera.fish`;

/** Adds `completion` to `program`; it tells of whatever commands the program has when it runs. */
export function registerCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('write a script that lets a shell complete commands, options and files')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', NOTES)
    .action(async (shell: Shell) => {
      const { placesOf } = await import('./completion-places.js');
      writeLine(terminal.stdout, (await scriptFor(shell))(placesOf(program)).trimEnd());
    });
}

async function scriptFor(shell: Shell) {
  switch (shell) {
    case 'bash':
      return (await import('./completion-bash.js')).bashScript;
    case 'zsh':
      return (await import('./completion-zsh.js')).zshScript;
    case 'fish':
      return (await import('./completion-fish.js')).fishScript;
  }
}
