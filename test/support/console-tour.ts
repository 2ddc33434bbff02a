// Runs the `console` blocks of a document in a shell, so that a test can compare their output with the document.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The `console` blocks of a section, joined: commands after `$ `, and their output. @param heading a pattern */
export function extractTour(markdown: string, heading: string): string {
  const section = new RegExp(`^## ${heading}\n(?<text>.*?)^## `, 'ms').exec(markdown);
  const blocks = section?.groups?.['text']?.matchAll(/^```console\n(?<shown>.*?)^```$/gms) ?? [];
  return [...blocks].map(({ groups }) => groups?.['shown']).join('');
}

/**
 * Runs the commands of a tour in one shell.
 *
 * @param prologue shell code to run first
 * @returns the commands and their output, as a terminal shows them
 */
export async function runTour(tour: string, prologue = ''): Promise<string> {
  const typed = tour.split('\n').filter((line) => line.startsWith('$ '));
  const lines = typed
    .map((line) => line.slice(2))
    .flatMap((command) => [
      `printf '$ %s\\n' ${quoted(command)}`,
      `{ ${command}\n} >"$SHOWN" 2>&1`,
      // Ends the output with a line end, so that the next prompt starts a line.
      `sed '$a\\' "$SHOWN"`,
    ]);
  const script = [prologue, 'SHOWN=$(mktemp)', ...lines, 'rm "$SHOWN"'].join('\n');
  const shell = spawn('bash', { stdio: ['pipe', 'pipe', 'inherit'] });
  shell.stdin.end(script);
  const [transcript] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
  return transcript;
}

/** Replaces the random part of tickets and ciphertexts by `…`. */
export function maskTickets(transcript: string): string {
  return transcript
    .replaceAll(/\b(TGT|ST)-[A-Za-z0-9]{8,}/g, '$1-…')
    .replaceAll(/\bv1\.[0-9a-f]{8}\.[\w-]+/g, 'v1.…');
}

function quoted(command: string): string {
  return `'${command.replaceAll("'", `'\\''`)}'`;
}
