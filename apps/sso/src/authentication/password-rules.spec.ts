import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { PasswordRules } from './password-rules.js';

const CURRENT = 'current passw\u00f3rd';

let folder: string;
let rules: PasswordRules;

beforeAll(async () => {
  folder = await makeFolder();
  const commonFile = join(folder, 'common');
  await writeFile(commonFile, '\ufeffListed Here\r\n\nname of the site\n');
  rules = await PasswordRules.load({ minLength: 8, commonFile });
});
afterAll(() => removeFolder(folder));

test.each([
  ['the current one', CURRENT, 'PASSWORD_UNCHANGED'],
  ['the current one in another Unicode form', 'current passwo\u0301rd', 'PASSWORD_UNCHANGED'],
  ['seven characters', '\u{1f5dd}\u{1f5dd}\u{1f5dd}\u{1f5dd}abc', 'PASSWORD_TOO_SHORT'],
  ['more than 1,000 characters', 'x'.repeat(1_001), 'PASSWORD_TOO_LONG'],
  ['one of our list', 'QwertyUiop', 'PASSWORD_COMMON'],
  ['one of our list, in other letters', '\uff11\uff12345678', 'PASSWORD_COMMON'],
  ['one of the file', 'LISTED HERE', 'PASSWORD_COMMON'],
  ['the last of the file', 'name of the site', 'PASSWORD_COMMON'],
  ['the user name in it', 'my JANE.DOE!', 'PASSWORD_CONTAINS_NAME'],
  ['eight characters of one kind', 'zqxwvyjk', undefined],
  ['spaces alone', ' '.repeat(8), undefined],
  ['1,000 characters', 'x'.repeat(1_000), undefined],
])('%s: %j is judged as %p', (_what, newPassword, violation) => {
  const change = { username: 'jane.doe', password: CURRENT, newPassword };
  expect(rules.violationOf(change)).toBe(violation);
});

test.each([
  ['the new one', CURRENT, 'e\u0301\u0323'.repeat(10_000), 'PASSWORD_TOO_LONG'],
  ['the current one', 'e\u0301\u0323'.repeat(10_000), 'zqxwvyjk', undefined],
])(
  'a long run of combining marks is not normalised: %s',
  (_what, password, newPassword, judged) => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    expect(rules.violationOf({ username: 'jane', password, newPassword })).toBe(judged);
    const lengths = normalize.mock.contexts.map((text) => String(text).length);
    normalize.mockRestore();
    expect(Math.max(0, ...lengths)).toBeLessThan(1_000);
  },
);

test('a short user name may be a part of the password', () => {
  const change = { username: 'ann', password: 'x', newPassword: 'planning ahead' };
  expect(rules.violationOf(change)).toBeUndefined();
});

test.each([
  ['that is not there', 'missing', 'does not exist'],
  ['of more than 8 MiB', 'large', 'has more than 8388608 bytes'],
])('a file %s ends the start', async (_what, name, error) => {
  const commonFile = join(folder, name);
  if (name === 'large') await writeFile(commonFile, '\n'.repeat(8 * 1_024 * 1_024 + 1));
  await expect(PasswordRules.load({ minLength: 8, commonFile })).rejects.toMatchObject({
    code: 'PASSWORD_LIST_UNREADABLE',
    exitCode: 78,
    message: `sso.authentication.password.common-file: ${commonFile} ${error}`,
  });
});
