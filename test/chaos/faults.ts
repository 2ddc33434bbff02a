// The faults. Each is inflicted, lasts, and is healed; `recovery` is the time after that in which failures still belong to
// it.
import { setTimeout as sleep } from 'node:timers/promises';
import { http } from '../support/http.js';
import { until } from '../support/until.js';
import type { Random } from './random.js';
import type { ChaosTarget, Database, DatabaseMember, Machine, Member } from './target.js';

/** How long it takes until commits do not wait any more for a standby that is gone: Patroni's `loop_wait` is alike. */
const DETECTION_MS = 1_000;
/** Logins and logouts wait until the standby streams again: it tries every 5 s (`wal_retrieve_retry_interval`). */
const PRIMARY_RECOVERY_MS = 7_000;
/** What the primary commits in this time is lost with it, unless commits wait for the standby. */
const BEHIND_MS = 1_500;
const CLOCK_SECONDS = 90;
const LOST_PERCENT = 30;
const REPLY_DELAY_MS = 300;

type MaybeLater<T> = T | Promise<T>;
type Heal = () => MaybeLater<void>;

export interface Fault {
  readonly name: string;
  /** In ms. */
  readonly recovery: number;
  /** A planned change must not fail a request. */
  readonly isPlanned?: boolean;
  /** Whether tickets must be granted and validated all the time. */
  readonly isOfStandby?: boolean;
  /** Whether a server of PostgreSQL dies. */
  readonly losesRecords?: boolean;
  /** What is missing here; undefined if it is possible. */
  readonly missing?: (target: ChaosTarget) => string | undefined;
  readonly inflict: (target: ChaosTarget, random: Random) => MaybeLater<Heal>;
}

const NETWORK = 'network namespaces (root, ip, nft)';

export const FAULTS: readonly Fault[] = [
  ...['one', 'two'].flatMap((name, index) => [
    {
      name: `kill node ${name}`,
      recovery: 2_000,
      inflict: ({ members }: ChaosTarget) => killed(members[index]!),
    },
    {
      name: `pause node ${name}`,
      recovery: 2_000,
      inflict: ({ members }: ChaosTarget) => paused(members[index]!),
    },
  ]),
  {
    name: 'rolling restart',
    recovery: 0,
    isPlanned: true,
    inflict: async ({ members, proxy }) => {
      for (const member of members) {
        await member.stop();
        await member.start();
        await until(`requests go to ${member.name} again`, async () => {
          const reply = await http('GET', `http://${proxy.host}:${proxy.port}`, '/');
          return reply.headers['x-node'] === member.name;
        });
      }
      return healed;
    },
  },
  {
    name: 'reload',
    recovery: 0,
    isPlanned: true,
    inflict: async ({ members }) => {
      await Promise.all(members.map((member) => member.reload()));
      return healed;
    },
  },
  {
    name: 'clock of a node ahead',
    recovery: 2_000,
    missing: ({ members }) => (members[0]?.restartAhead ? undefined : 'libfaketime'),
    inflict: async ({ members }, random) => {
      const member = random.pick(members);
      await member.restartAhead?.(CLOCK_SECONDS);
      return async () => {
        await member.stop();
        await member.start();
      };
    },
  },
  {
    name: 'connections to the database cut, replies late',
    recovery: 2_000,
    inflict: ({ members }, random) => {
      const { wire } = random.pick(members);
      wire.cut();
      wire.delay(REPLY_DELAY_MS);
      return () => {
        wire.cut();
        wire.delay(0);
      };
    },
  },
  ...networkFaults('a node', (target, random) => random.pick(target.members).machine),
  ...networkFaults('the primary', ({ database }) => database.primary.machine),
  {
    name: 'kill the primary',
    recovery: PRIMARY_RECOVERY_MS,
    losesRecords: true,
    inflict: ({ database: { primary } }) => killed(primary),
  },
  {
    name: 'pause the primary',
    recovery: PRIMARY_RECOVERY_MS,
    inflict: ({ database: { primary } }) => paused(primary),
  },
  {
    name: 'full disk of the primary',
    recovery: PRIMARY_RECOVERY_MS,
    losesRecords: true,
    missing: ({ database }) => (database.primary.machine.fillDisk ? undefined : 'loop devices'),
    inflict: async ({ database: { primary } }) => {
      await primary.machine.fillDisk?.();
      return async () => {
        await primary.machine.freeDisk();
        // PostgreSQL ends if it cannot recover either.
        await primary.start();
      };
    },
  },
  {
    name: 'slow disk of the primary',
    recovery: 3_000,
    missing: ({ database }) => (database.primary.machine.slowDisk ? undefined : 'cgroup blkio'),
    inflict: async ({ database: { primary } }) => {
      await primary.machine.slowDisk?.();
      return () => primary.machine.hastenDisk();
    },
  },
  standbyFault('kill the standby', killed),
  standbyFault('pause the standby', paused),
  {
    ...standbyFault('partition the standby', async ({ machine }) => {
      await machine.partition?.();
      return machine.reconnect;
    }),
    missing: ({ database }) => (database.standby.machine.partition ? undefined : NETWORK),
  },
  failover('failover, primary killed', ({ primary }) => primary.kill()),
  failover('failover, primary paused', ({ primary }) => primary.pause()),
  failover('failover, standby behind', async (database) => {
    await database.detachStandby();
    await sleep(BEHIND_MS);
    await database.primary.kill();
  }),
];

/** The scenario without fencing: the old primary goes on, and one node still reaches it. */
export const UNFENCED: readonly Fault[] = [failover('failover without fencing', () => {})];

async function killed(member: Member): Promise<Heal> {
  await member.kill();
  return () => member.start();
}

function paused(member: Member): Heal {
  member.pause();
  return () => member.resume();
}

/** Nothing is to be healed. */
function healed(): void {}

function networkFaults(
  what: string,
  machineOf: (target: ChaosTarget, random: Random) => Machine,
): readonly Fault[] {
  const fault = (name: string, inflict: (machine: Machine) => MaybeLater<void>): Fault => ({
    name,
    recovery: 5_000,
    missing: ({ database }) => (database.primary.machine.lose ? undefined : NETWORK),
    inflict: async (target, random) => {
      const machine = machineOf(target, random);
      await inflict(machine);
      return machine.reconnect;
    },
  });
  return [
    fault(`partition ${what}`, ({ partition }) => partition?.()),
    fault(`${LOST_PERCENT} % loss at ${what}`, ({ lose }) => lose?.(LOST_PERCENT)),
  ];
}

function standbyFault(name: string, inflict: (standby: DatabaseMember) => MaybeLater<Heal>): Fault {
  return {
    name,
    recovery: 2_000,
    isOfStandby: true,
    inflict: async ({ database }) => {
      const heal = await inflict(database.standby);
      await sleep(DETECTION_MS);
      await database.waitForStandby(false);
      return async () => {
        await heal();
        await database.waitForStandby(true);
      };
    },
  };
}

function failover(name: string, lose: (database: Database) => MaybeLater<void>): Fault {
  return {
    name,
    recovery: PRIMARY_RECOVERY_MS,
    losesRecords: true,
    inflict: async ({ database }) => {
      await lose(database);
      await sleep(DETECTION_MS);
      await database.failover();
      return () => database.rebuildStandby();
    },
  };
}
