import { afterEach, describe, expect, test } from '@jest/globals';
import { besideSso } from '@tessera/runtime';
import { configServerSettings } from '../../../../test/support/config-server.js';

const URL = '--database.url=postgresql://u@127.0.0.1:1/d';
const [VARIABLE = ''] = Object.keys(besideSso());

afterEach(() => {
  Reflect.deleteProperty(process.env, VARIABLE);
});

test('audit.enabled needs a database, except in profile dev', async () => {
  await expect(configServerSettings(['--audit.enabled=true'])).rejects.toThrow(
    /audit\.enabled: needs database\.url/,
  );
});

test('a database for the audit trail alone has a valid URL', async () => {
  await expect(configServerSettings(['--database.url=mysql://u@127.0.0.1/d'])).rejects.toThrow(
    /database\.url: must be postgresql:/,
  );
});

describe('events are stored', () => {
  test.each<[string, readonly string[], boolean, boolean]>([
    ['not without a database', [], false, false],
    ['not in profile dev alone', ['--profiles.active=dev'], false, false],
    ['not beside the SSO application in another profile', [], true, false],
    ['not where audit.enabled is false', [URL, '--audit.enabled=false'], false, false],
    [
      'not where audit.enabled is false, beside the SSO application',
      ['--profiles.active=dev', '--audit.enabled=false'],
      true,
      false,
    ],
    ['where there is a database', [URL], false, true],
    ['in profile dev on demand', ['--profiles.active=dev', '--audit.enabled=true'], false, true],
    ['in profile dev beside the SSO application', ['--profiles.active=dev'], true, true],
  ])('%s', async (_rule, argv, isBesideSso, stored) => {
    if (isBesideSso) Object.assign(process.env, besideSso());
    expect((await configServerSettings(argv)).storesAudit).toBe(stored);
  });
});
