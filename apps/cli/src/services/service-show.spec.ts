import { describe, expect, test } from '@jest/globals';
import type { AttributeRelease, NewService } from '@tessera/services';
import { TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { FULL_SERVICE, serviceCommandSuite } from '../../../../test/support/service-commands.js';

const least = { serviceId: 'https://a\\.example\\.org/.*', name: 'a' };

const suite = serviceCommandSuite();
const tessera = (...args: readonly string[]) => suite.tessera(...args);

describe('show', () => {
  test.each([['4711'], ['\u001b[2J\u202e']])('ends with 1 for the unknown id %j', async (id) => {
    const { exitCode, stdout, stderr } = await tessera('show', id);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^tessera: there is no service ".+": an id is a number .*\n$/);
    expect(stderr).not.toMatch(TERMINAL_CONTROLS);
  });

  test.each<[string, NewService, readonly string[]]>([
    [
      'the defaults',
      least,
      [
        'serviceId: https://a\\.example\\.org/.*',
        'name: a',
        'description:',
        'evaluationOrder: 2147483647',
        'enabled: true',
        'expiresAt: never',
        'ssoEnabled: true',
        'requiredAttributes: none',
        'requireAllAttributes: true',
        'rejectedAttributes: none',
        'unauthorizedRedirectUrl: none',
        'attributeRelease: none',
        'defaultAttributes: true',
        'releasedValues: none',
        'protocolAttributes: true',
        'usernameAttribute: principal',
        'proxyPolicy: refuse',
        'responseType: redirect',
        'serviceTicketLifetime: as the settings say',
        'proxyTicketLifetime: as the settings say',
        'logoutType: none',
        'logoutUrl: none',
        'properties: none',
      ],
    ],
    [
      'every field',
      {
        ...FULL_SERVICE,
        requiredAttributes: { memberOf: ['a', 'b'], site: ['x'] },
        description: 'd\ne',
      },
      [
        'serviceId: https://a\\.example\\.org/.*',
        'name: a',
        'description: d\\u{a}e',
        'evaluationOrder: 7',
        'enabled: false',
        'expiresAt: 2027-06-30T16:00:00.000Z',
        'ssoEnabled: false',
        // PostgreSQL keeps the shorter name first.
        'requiredAttributes: site=x',
        'requiredAttributes: memberOf=a',
        'requiredAttributes: memberOf=b',
        'requireAllAttributes: false',
        'rejectedAttributes: memberOf=guest.*',
        'unauthorizedRedirectUrl: https://a/refused',
        'attributeRelease: mapped uid=id',
        'defaultAttributes: false',
        'releasedValues: id=4.*',
        'protocolAttributes: false',
        'usernameAttribute: attribute mail, in lower case',
        'proxyPolicy: pattern https://p/.*',
        'responseType: post',
        'serviceTicketLifetime: 5 s',
        'proxyTicketLifetime: 6 s',
        'logoutType: front',
        'logoutUrl: https://a/out',
        'properties: dialect=apereo',
      ],
    ],
  ])('has a line for each value of %s, and no salt', async (_what, fields, lines) => {
    const { id, pseudonymSalt } = await suite.store.add(fields);
    const { stdout, stderr } = await tessera('show', id);
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([`id: ${id}`, ...lines, '']);
    expect(stdout).not.toContain(pseudonymSalt);
  });

  test.each<[AttributeRelease, readonly string[]]>([
    [{ kind: 'all' }, ['all']],
    [{ kind: 'all', excluded: ['cn', 'sn'] }, ['all but cn', 'all but sn']],
    [{ kind: 'allowed', names: ['mail', 'cn'] }, ['allowed mail', 'allowed cn']],
  ])('shows the release %j', async (attributeRelease, shown) => {
    const { id } = await suite.store.add({ ...least, attributeRelease });
    const { stdout } = await tessera('show', id);
    const lines = stdout.split('\n').filter((line) => line.startsWith('attributeRelease'));
    expect(lines).toEqual(shown.map((each) => `attributeRelease: ${each}`));
  });

  test('as JSON, shows what list shows of the service', async () => {
    const { id, pseudonymSalt } = await suite.store.add(FULL_SERVICE);
    const { stdout } = await tessera('show', id, '--json');
    expect([JSON.parse(stdout)]).toEqual(JSON.parse((await tessera('list', '--json')).stdout));
    expect(stdout).not.toContain(pseudonymSalt);
  });

  test.each([[[]], [['--json']]])(
    'no control characters reach the terminal %j',
    async (options) => {
      await suite.dataSource.query(
        'insert into registered_service (service_id, name) values ($1, $1)',
        ['a\u001b[2J\u009b\u202e\u2028\nb'],
      );
      const [{ id } = { id: '' }] = await suite.store.list();
      const { stdout } = await tessera('show', id, ...options);
      expect(stdout).toContain('202e');
      expect(stdout).not.toMatch(TERMINAL_CONTROLS);
    },
  );
});
