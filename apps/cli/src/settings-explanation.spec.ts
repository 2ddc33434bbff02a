import { describe, expect, test } from '@jest/globals';
import { explanation } from './settings-explanation.js';

const ROWS = [
  { key: 'sso.port', value: '8080', origin: 'default' },
  { key: 'sso.tickets.st.lifetime', value: '20s', origin: 'file' },
  { key: 'sso.tickets.suffix', value: 'a\u001b', origin: 'environment' },
  { key: 'sso.ticketsless', value: '1', origin: 'default' },
];

const explain = (key: string | undefined, json = false) =>
  explanation(ROWS, key, { application: 'sso', json });

describe('an explanation', () => {
  test('is of all settings', async () => {
    expect((await explain(undefined)).split('\n')).toHaveLength(ROWS.length);
  });

  test('is of one setting alone', async () => {
    expect(await explain('sso.port')).toBe('sso.port = 8080  (default)');
  });

  test('is of those below a key, without what a terminal interprets', async () => {
    const lines = (await explain('sso.tickets')).split('\n');
    expect(lines).toEqual([
      'sso.tickets.st.lifetime = 20s  (file)',
      expect.stringMatching(/^sso\.tickets\.suffix = a\P{Cc}+  \(environment\)$/u),
    ]);
  });

  test('is JSON where that is asked for', async () => {
    expect(JSON.parse(await explain('sso.port', true))).toEqual([ROWS[0]]);
  });

  test.each([
    ['a key that there is not', 'nobody.knows.this.one', 'nobody.knows.this.one'],
    [
      'a misspelt key',
      'sso.tickets.st.livetime',
      'sso.tickets.st.livetime; did you mean sso.tickets.st.lifetime?',
    ],
    ['a misspelt group', 'sso.tikets', 'sso.tikets; did you mean sso.tickets?'],
  ])('finds fault with %s', async (_what, key, told) => {
    await expect(explain(key)).rejects.toThrow(
      expect.objectContaining({
        name: 'CliError',
        exitCode: 1,
        message: `sso has no setting ${told}`,
      }),
    );
  });
});
