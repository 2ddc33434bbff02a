// Secrets never leak from the built programs, which run through every error of Vault, config server, database, LDAP
// server, settings and callers with all log levels on.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endPrograms } from '../support/process.js';
import { until } from '../support/until.js';
import { describeWithVault } from '../support/vault.js';
import { canaries, secrets } from './canaries.js';
import { FAILING_STARTS, RELOAD_ERRORS } from './canary-cases.js';
import {
  closeFixture,
  openFixture,
  resetCredentials,
  resetSettings,
  writeSettings,
  type Fixture,
} from './canary-fixture.js';
import {
  commandLines,
  filesIn,
  OUTPUTS,
  recorded,
  recordCommandLines,
  recordOutput,
  SsoCaller,
  TRACER,
} from './canary-outputs.js';
import {
  exerciseConfigServer,
  exerciseGit,
  exerciseSso,
  explainSettings,
  start,
  startPrograms,
  type Programs,
} from './canary-programs.js';

/** Data of the programs, in their working directory. */
const DATA_FOLDER = '.data';

describe('a secret is recognised', () => {
  const secret = secrets.vaultToken;
  const bytes = [...Buffer.from(secret)].map((byte) => byte.toString(16));

  test.each([
    ['as it is', `{"token":"${secret}"}`, 'plain'],
    ['in capitals', secret.toUpperCase(), 'plain'],
    ['by its end', secret.slice(-14), 'plain'],
    ['without its end', secret.slice(0, -14), 'plain'],
    ['in hexadecimal digits', bytes.join(''), 'hex'],
    ['in Base64', Buffer.from(secret).toString('base64'), 'base64'],
    ['in Base64 behind one letter', Buffer.from(`:${secret}`).toString('base64'), 'base64'],
    ['in Base64 behind two', Buffer.from(`u:${secret}?`).toString('base64url'), 'base64'],
    ['in a URL', bytes.map((byte) => `%${byte}`).join(''), 'url'],
    ['in JSON', bytes.map((byte) => String.raw`\u00${byte}`).join(''), 'json'],
  ])('%s', (_form, written, form) => {
    expect(canaries.foundIn(`before ${written} behind`)).toEqual([`vault-token (${form})`]);
  });

  test('but not by its name or by the last four characters, which tickets show', () => {
    expect(canaries.foundIn(`CANARY-vault-token-…${secret.slice(-4)}`)).toEqual([]);
  });
});

describeWithVault('of the secrets of programs', () => {
  let fixture: Fixture;
  let programs: Programs;
  let caller: SsoCaller;

  beforeAll(async () => {
    fixture = await openFixture();
    programs = await startPrograms(fixture);
    caller = new SsoCaller(programs.ssoUrl, fixture.authority);
  });
  afterAll(async () => {
    await endPrograms();
    await closeFixture(fixture);
  });

  test('all are used where programs do what they are for', async () => {
    await exerciseSso(caller, fixture);
    await exerciseConfigServer(programs.configUrl);
    await exerciseGit(fixture);
    expect(await explainSettings(fixture)).toBe(0);
  });

  test.each(RELOAD_ERRORS)(
    'all are used where a reload meets %s',
    async (_what, change, reason) => {
      await change(fixture);
      const { status, body } = await caller.reload();
      await resetSettings(fixture, programs.configUrl);
      await resetCredentials(fixture);
      expect({ status, body }).toEqual({ status: 409, body: expect.stringMatching(reason) });
    },
  );

  test('all are used where a reload meets nothing wrong', async () => {
    await writeSettings(fixture, { 'sso.dialect': 'apereo' });
    expect(await caller.reload()).toMatchObject({ status: 200, body: '["sso.dialect"]' });
  });

  test('all are used in starts in vain', async () => {
    const endings = FAILING_STARTS.map(async ([what, name, given]) => {
      const program = start(fixture, name, await given(fixture));
      await until('it runs', () => commandLines(program.pid).includes('main.js'));
      recordCommandLines(program);
      const { code } = await program.ended;
      recordOutput(program);
      return [what, code !== 0, program.stderr];
    });
    expect(await Promise.all(endings)).toEqual(
      FAILING_STARTS.map(([what, , , told]) => [what, true, expect.stringMatching(told)]),
    );
  });

  test('all that was said and written is looked at', async () => {
    const { sso, config } = programs;
    recordCommandLines(sso);
    recordCommandLines(config);
    await endPrograms();
    recordOutput(sso);
    recordOutput(config);
    await writeFile(join(fixture.home, 'tmp', TRACER), '');
    recorded.files.push(filesIn(fixture.home, DATA_FOLDER));
    recorded.traces.push(...fixture.otlp.bodies);
  });

  test.each(OUTPUTS)('each place where one could be is looked at: %s', (place) => {
    expect(recorded[place].join('\n')).toContain(TRACER);
  });

  test.each(OUTPUTS)('none is found: %s', (place) => {
    expect(canaries.foundIn(recorded[place].join('\n'))).toEqual([]);
  });
});
