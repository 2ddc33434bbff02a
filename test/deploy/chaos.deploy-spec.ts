// A minute of `npm run chaos`: a node is killed, and the primary fails over. Then the broken builds, which must be convicted.
import { describe, expect, test } from '@jest/globals';
import { brokenBuild } from '../chaos/broken-build.js';
import { missingPrograms, startEnvironment } from '../chaos/environment/environment.js';
import { FAULTS } from '../chaos/faults.js';
import type { ChaosRecord } from '../chaos/record.js';
import { run } from '../chaos/run.js';
import { violationsOf } from '../chaos/rules.js';

const SESSION_LIFETIME = 10_000;
const CHOSEN = ['kill node one', 'failover, primary killed'];
const TIMEOUT_MS = 300_000;

const missing = missingPrograms();
if (missing.length > 0) {
  process.stderr.write(`left out: the tests of chaos, there is no ${missing.join(' and no ')}\n`);
}
const describeIfInstalled = missing.length === 0 ? describe : describe.skip;

describeIfInstalled('two nodes, a primary and a synchronous standby', () => {
  test(
    'keep the rules of tickets and sessions while a node is killed and the primary fails over',
    async () => {
      const record = await recordOf(process.cwd(), 1, CHOSEN);
      // Not how soon it answers: this machine may be busy.
      const violations = violationsOf(record);
      expect(violations.filter(({ rule }) => rule !== 'available-without-faults')).toEqual([]);
      expect(new Set(record.faults.map(({ name }) => name))).toEqual(new Set(CHOSEN));
      expect(record.operations.length).toBeGreaterThan(1_000);
    },
    TIMEOUT_MS,
  );

  test.each([
    ['read-then-delete', 'accepted-once'],
    ['logout-before-commit', 'nothing-after-logout'],
  ])(
    'are convicted with the build %s by the rule %s',
    async (name, rule) => {
      const build = await brokenBuild(name);
      try {
        const violations = violationsOf(await recordOf(build.folder, 0.2, []));
        expect(violations.map((each) => each.rule)).toContain(rule);
      } finally {
        await build.remove();
      }
    },
    TIMEOUT_MS,
  );
});

async function recordOf(
  build: string,
  minutes: number,
  faults: readonly string[],
): Promise<ChaosRecord> {
  const replication = { isSynchronous: true, isFenced: true };
  const options = { build, sessionLifetime: SESSION_LIFETIME, ...replication };
  const environment = await startEnvironment(options);
  try {
    return await run(environment, {
      seed: 3,
      minutes,
      sessionLifetime: SESSION_LIFETIME,
      faults: FAULTS.filter(({ name }) => faults.includes(name)),
      log: () => {},
    });
  } finally {
    await environment.close();
  }
}
