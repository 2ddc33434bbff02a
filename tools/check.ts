// `npm run check`: runs the scripts below in parallel and prints a line for each, with the output of failed ones.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Slowest first, for the shortest total time. */
const SCRIPTS = ['typecheck', 'lint', 'unused', 'format:check', 'architecture', 'docs'] as const;

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

const waiting: string[] = [...SCRIPTS];
await Promise.all(Array.from({ length: availableParallelism() }, work));

async function work(): Promise<void> {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    const started = performance.now();
    const { passed, output } = await run(script);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${script.padEnd(14)} ${seconds.padStart(5)} s`);
    if (passed) continue;
    console.log(output);
    process.exitCode = 1;
  }
}

async function run(script: string): Promise<Outcome> {
  const child = spawn(process.execPath, ['--run', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (text: string): void => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  return { passed: status === 0, output };
}
