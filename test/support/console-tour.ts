// Tours as documents show them, in blocks of `console`: what is typed there is typed, and what is shown is compared.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** What is typed and shown in a section of a document, its blocks one after the other. */
export function extractTour(markdown: string, heading: string): string {
  const section = new RegExp(`^## ${heading}\n(?<text>.*?)^## `, 'ms').exec(markdown);
  const blocks = section?.groups?.['text']?.matchAll(/^```console\n(?<shown>.*?)^```$/gms) ?? [];
  return [...blocks].map(({ groups }) => groups?.['shown']).join('');
}

/**
 * Types what the tour types, in one shell; returns what a terminal then shows.
 *
 * @param prologue what the shell has to know before
 */
export async function runTour(tour: string, prologue = ''): Promise<string> {
  const typed = tour.split('\n').filter((line) => line.startsWith('$ '));
  const lines = typed
    .map((line) => line.slice(2))
    .flatMap((command) => [
      `printf '$ %s\\n' ${quoted(command)}`,
      `{ ${command}\n} >"$SHOWN" 2>&1`,
      // The prompt stands on a line of its own.
      `sed '$a\\' "$SHOWN"`,
    ]);
  const script = [prologue, 'SHOWN=$(mktemp)', ...lines, 'rm "$SHOWN"'].join('\n');
  const shell = spawn('bash', { stdio: ['pipe', 'pipe', 'inherit'] });
  shell.stdin.end(script);
  const [shown] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
  return shown;
}

/** With a dot in place of what is another one each time. */
export function maskTickets(transcript: string): string {
  return transcript
    .replaceAll(/\b(TGT|ST)-[A-Za-z0-9]{8,}/g, '$1-…')
    .replaceAll(/\bv1\.[0-9a-f]{8}\.[\w-]+/g, 'v1.…');
}

function quoted(command: string): string {
  return `'${command.replaceAll("'", `'\\''`)}'`;
}
