// `tessera completion`.
import { Argument, type Command } from 'commander';
import { writeLine, type Terminal } from '../terminal.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const NOTES = `
Examples:
  source <(tessera completion bash)                                 in ~/.bashrc
  tessera completion zsh > ~/.zfunc/_tessera                        in a directory of $fpath
  tessera completion fish > ~/.config/fish/completions/tessera.fish`;

/** Adds `completion` to `program`. The script contains the commands that the program has when it runs. */
export function registerCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('write a script that lets a shell complete commands, options and files')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', NOTES)
    .action(async (shell: Shell) => {
      const { placesOf } = await import('./completion-places.js');
      const { bashScript, zshScript, fishScript } = await import('./completion-scripts.js');
      const scriptOf = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell];
      writeLine(terminal.stdout, scriptOf(placesOf(program)).trimEnd());
    });
}
