import { describe, expect, test } from '@jest/globals';
import { TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { serviceCommandSuite } from '../../../../test/support/service-commands.js';

const PATTERN = 'https://a\\.example\\.org/.*';

const suite = serviceCommandSuite();
const tessera = (...args: readonly string[]) => suite.tessera(...args);

describe('list', () => {
  test('shows services in the order in which they are tried', async () => {
    const b = await suite.store.add({ serviceId: 'https://b/', name: 'b', evaluationOrder: 9 });
    const a = await suite.store.add({
      serviceId: 'https://a/',
      name: 'a',
      evaluationOrder: 5,
      enabled: false,
      attributeRelease: { kind: 'allowed', names: ['x', 'y'] },
    });
    const c = await suite.store.add({
      serviceId: 'https://c/',
      name: 'c',
      evaluationOrder: 10,
      expiresAt: '2020-01-01',
    });
    const { stdout } = await tessera('list');
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      ['ID', 'ORDER', 'STATE', 'NAME', 'RELEASES', 'PATTERN'],
      [a.id, '5', 'disabled', 'a', '2 allowed', 'https://a/'],
      [b.id, '9', 'enabled', 'b', 'none', 'https://b/'],
      [c.id, '10', 'expired', 'c', 'none', 'https://c/'],
      [''],
    ]);
  });

  test('as JSON, shows all but the salt', async () => {
    const { pseudonymSalt, ...shown } = await suite.store.add({ serviceId: PATTERN, name: 'a' });
    const { stdout } = await tessera('list', '--json');
    expect(JSON.parse(stdout)).toEqual([shown]);
    expect(stdout).not.toContain(pseudonymSalt);
  });

  test.each([[[]], [['--json']]])(
    'control characters in the database do not reach the terminal %j',
    async (options) => {
      await suite.dataSource.query(
        'insert into registered_service (service_id, name) values ($1, $1)',
        ['a\u001b[2J\u009b\u202e\nb'],
      );
      const { stdout } = await tessera('list', ...options);
      expect(stdout).not.toMatch(TERMINAL_CONTROLS);
      if (options.length > 0) {
        expect(JSON.parse(stdout)).toMatchObject([{ name: 'a\u001b[2J\u009b\u202e\nb' }]);
      }
    },
  );
});
