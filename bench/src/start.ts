// Measures the time from `npm start` (without npm) to the first ticket.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.js';
import { commandLineOf, THIS_BUILD } from './processes.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_082;
const ROUNDS = 5;

export async function measureStart(_workbench: Workbench, print: Print): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tessera-bench-start-'));
  // As root, PostgreSQL runs as another user and needs access.
  await chmod(directory, 0o755);
  try {
    const first = await startToTicket(directory);
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) later.push(await startToTicket(directory));
    later.sort((one, other) => one - other);
    print(
      `- first start, initialising the data directory: ${first.toFixed(0)} ms to the first TGT`,
    );
    print(
      `- later starts: ${later.map((time) => time.toFixed(0)).join(', ')} ms ` +
        `(median ${later[Math.floor(ROUNDS / 2)]?.toFixed(0)} ms)`,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Starts both applications and the embedded database, as a developer does. */
export async function startToTicket(cwd: string, build = THIS_BUILD): Promise<number> {
  const started = performance.now();
  const child = fork(
    commandLineOf(build),
    [
      'start',
      `--sso.port=${PORT}`,
      `--sso.base-url=http://127.0.0.1:${PORT}/cas`,
      `--config-server.port=${PORT + 1}`,
    ],
    { cwd, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  await firstTicket();
  const elapsed = performance.now() - started;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return elapsed;
}

async function firstTicket(): Promise<void> {
  for (;;) {
    try {
      const client = await Client.open(PORT);
      const { status } = await client.post('/cas/v1/tickets', 'username=casuser&password=Mellon');
      client.close();
      if (status === 201) return;
    } catch {
      // Not listening yet.
    }
    await pause(10);
  }
}
