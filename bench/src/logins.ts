// Logins a second with the default password hashing, over REST, and what they do to validation meanwhile.
import { AccountStore, UserAccount } from '@tessera/accounts';
import { DEFAULT_ARGON2_PARAMETERS, PasswordHashing } from '@tessera/crypto';
import { connect } from '@tessera/database';
import { Client } from './client.js';
import { measure } from './cycles.js';
import { startSso } from './processes.js';
import { addSessions } from './sessions.js';
import type { Print, Workbench } from './workbench.js';

const CONNECTIONS = 8;
const MILLISECONDS = 8_000;

export async function measureLogins(workbench: Workbench, print: Print): Promise<void> {
  await addUser(workbench.databaseUrl);
  const tgts = await addSessions(workbench.pool, 100);
  const sso = await startSso(workbench.databaseUrl, 18_081, [
    '--sso.authentication.handlers=accounts',
  ]);
  try {
    const { memory, iterations, parallelism } = DEFAULT_ARGON2_PARAMETERS;
    print(`argon2id: ${memory} KiB, ${iterations} iterations, parallelism ${parallelism}\n`);
    await loginsPerSecond(sso.port, 2_000);
    const run = { server: sso, tgts, connections: 8, milliseconds: MILLISECONDS };
    const alone = await measure(workbench, run);
    print(
      `- ${(await loginsPerSecond(sso.port, MILLISECONDS)).toFixed(1)} logins/s at ${CONNECTIONS} connections`,
    );
    const [logins, beside] = await Promise.all([
      loginsPerSecond(sso.port, MILLISECONDS),
      measure(workbench, run),
    ]);
    print(
      `- beside ${logins.toFixed(1)} logins/s: ${beside.perSecond.toFixed(0)} cycles/s, p99 ${beside.p99.toFixed(1)} ms ` +
        `(alone: ${alone.perSecond.toFixed(0)} cycles/s, p99 ${alone.p99.toFixed(1)} ms)`,
    );
  } finally {
    await sso.stop();
  }
}

async function addUser(url: string): Promise<void> {
  const dataSource = await connect({ url, applicationName: 'bench', entities: [UserAccount] });
  const passwordHash = await new PasswordHashing().hash('Mellon');
  await new AccountStore(dataSource).add({ name: 'bench', passwordHash });
  await dataSource.destroy();
}

async function loginsPerSecond(port: number, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = await Client.open(port);
      let count = 0;
      for (; performance.now() < end; count += 1) {
        const { status } = await client.post('/cas/v1/tickets', 'username=bench&password=Mellon');
        if (status !== 201) throw new Error(`a login was answered ${status}`);
      }
      client.close();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / (milliseconds / 1_000);
}
