// Measures how long refused logins take: the time must not reveal which user names exist.
import { AccountStore, UserAccount, type NewAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { connect } from '@tessera/database';
import { Client } from './client.js';
import { quantile, zScore } from './statistics.js';
import { startSso } from './processes.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_087;
const SAMPLES = 1_250;
/** Unmeasured logins of each kind at the start. */
const WARM_UP = 100;
const PASSWORD = 'Mellon';
/** A z-score further from 0 is reported. */
const TOLERANCE = 3;

interface Kind {
  readonly name: string;
  /** All names have the same length. */
  readonly username: string;
  readonly password: string;
  /** Undefined if there is no account. */
  readonly account?: Omit<NewAccount, 'name' | 'passwordHash'>;
}

const ATTRIBUTES = {
  mail: ['someone@example.org'],
  memberOf: Array.from({ length: 50 }, (_, index) => `cn=group${index},dc=example,dc=org`),
};

const REFERENCE: Kind = {
  name: 'an account, wrong password',
  username: 'refusal-a',
  password: 'wrong!',
  account: { attributes: ATTRIBUTES },
};
/** Identical to the reference: its z-score shows the noise of this machine. */
const CONTROL: Kind = {
  ...REFERENCE,
  name: 'control: another account, wrong password',
  username: 'refusal-b',
};
const OTHERS: readonly Kind[] = [
  { name: 'an unknown name', username: 'refusal-c', password: 'wrong!' },
  {
    name: 'a disabled account, right password',
    username: 'refusal-d',
    password: PASSWORD,
    account: { attributes: ATTRIBUTES, disabled: true },
  },
  {
    name: 'an expired account, right password',
    username: 'refusal-e',
    password: PASSWORD,
    account: { attributes: ATTRIBUTES, expiresAt: new Date(0) },
  },
];
const KINDS = [REFERENCE, CONTROL, ...OTHERS];

export async function measureRefusals(workbench: Workbench, print: Print): Promise<void> {
  await addAccounts(workbench.databaseUrl);
  const sso = await startSso(workbench.databaseUrl, PORT, [
    '--sso.authentication.handlers=accounts',
  ]);
  const client = await Client.open(PORT);
  try {
    report(await sample(client), print);
  } finally {
    client.close();
    await sso.stop();
  }
}

async function addAccounts(url: string): Promise<void> {
  const dataSource = await connect({ url, applicationName: 'bench', entities: [UserAccount] });
  const [store, hashing] = [AccountStore.of(dataSource), new PasswordHashing()];
  for (const { username: name, account } of KINDS) {
    if (account === undefined) continue;
    await store.add({ name, passwordHash: await hashing.hash(PASSWORD), ...account });
  }
  await dataSource.destroy();
}

/** Microseconds by kind. Each round has all kinds in a random order. */
async function sample(client: Client): Promise<number[][]> {
  const times: number[][] = KINDS.map(() => []);
  for (let round = 0; round < WARM_UP + SAMPLES; round += 1) {
    const order = KINDS.map((kind, index) => ({ kind, index, rank: Math.random() }));
    for (const { kind, index } of order.toSorted((one, other) => one.rank - other.rank)) {
      const time = await measureOne(client, kind);
      if (round >= WARM_UP) times[index]?.push(time);
    }
  }
  return times;
}

async function measureOne(client: Client, { username, password }: Kind): Promise<number> {
  const form = `username=${username}&password=${password}`;
  const started = performance.now();
  const { status } = await client.post('/cas/v1/tickets', form);
  const time = (performance.now() - started) * 1_000;
  if (status !== 400) throw new Error(`a login was answered ${status}`);
  return time;
}

function report(times: readonly number[][], print: Print): void {
  const [reference = [], ...others] = times;
  const median = quantile(reference, 0.5);
  print(
    `${SAMPLES} refusals of each kind; ${REFERENCE.name}: median ${median.toFixed(0)} µs.\n\n` +
      '| compared with it | median µs | difference µs | z |\n|---|---|---|---|',
  );
  const compared = others.map((each, index) => ({
    name: KINDS[index + 1]?.name ?? '',
    median: quantile(each, 0.5),
    z: zScore(reference, each),
  }));
  for (const each of compared) {
    const difference = (each.median - median).toFixed(0);
    print(`| ${each.name} | ${each.median.toFixed(0)} | ${difference} | ${each.z.toFixed(1)} |`);
  }
  const apart = compared.filter(({ z }) => Math.abs(z) > TOLERANCE).map(({ name }) => name);
  print(`\nBeyond ${TOLERANCE} standard deviations: ${apart.join('; ') || 'none'}`);
}
