// Values that `rotate` leaves, and values in XML.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FROM_JASYPT, NEW_AND_OLD, RotationDirectory } from '../../../../test/support/rotation.js';

let rotation: RotationDirectory;
beforeAll(async () => {
  rotation = await RotationDirectory.make();
});
afterAll(() => rotation.remove());
beforeEach(() => rotation.clear());

const given = (name: string, form: string): Promise<string> => rotation.given(name, form);
const contentOf = (name: string): Promise<string> => rotation.contentOf(name);
const rotateAll = (...args: readonly string[]) => rotation.rotate(rotation.path, ...args);

describe('a value that is the default of a placeholder', () => {
  const FORM = 'a: ENC(@jasypt)\ndb: {password: "${DB_PASSWORD:ENC(@jasypt)}"}';

  test('is named with file, line and key, and nothing is written', async () => {
    await given('a.yml', FORM);
    const { exitCode, stderr } = await rotateAll(...FROM_JASYPT, ...NEW_AND_OLD);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        'tessera: a.yml:2: db.password has ENC(…) as the default of a placeholder: give it a key of its own to rotate it\n' +
        'tessera: nothing was written: 1 file cannot be rotated\n',
    });
    expect(await contentOf('a.yml')).toBe(FORM.replaceAll('@jasypt', rotation.written.jasypt));
  });

  test('of {cipher} is named, too', async () => {
    await given('a.properties', 'a=${P:{cipher}@old}');
    const { exitCode, stderr } = await rotateAll(...NEW_AND_OLD);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^tessera: a\.properties:1: a has \{cipher\}… as the default/);
  });
});

test('a value inside a longer text stays, and standard error names it', async () => {
  await given(
    'a.yml',
    'a: "{cipher}@old"\nurl: "jdbc:x?password=ENC(@jasypt)"\nb: "x {cipher}@old"',
  );
  const { exitCode, stderr } = await rotateAll(...FROM_JASYPT, ...NEW_AND_OLD);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr:
      'tessera: a.yml:2: left ENC(…) inside the text of url\n' +
      'tessera: a.yml:3: left {cipher}… inside the text of b\n',
  });
  expect(await contentOf('a.yml')).toBe(
    `a: "{cipher}@new"\nurl: "jdbc:x?password=ENC(${rotation.written.jasypt})"\nb: "x {cipher}@old"`,
  );
});

describe('of XML files', () => {
  const LOG = '<configuration>%msg</configuration>';

  test("those of Java's properties are rotated, and others stay", async () => {
    await given('logback.xml', LOG);
    await given('a.xml', '<properties>\n<entry key="a">{cipher}@old</entry></properties>');
    const { exitCode, stdout, stderr } = await rotateAll(...NEW_AND_OLD);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('a.xml:2: a: old -> new\n');
    expect(await contentOf('a.xml')).toBe(
      '<properties>\n<entry key="a">{cipher}@new</entry></properties>',
    );
    expect(await contentOf('logback.xml')).toBe(LOG);
  });

  test('others with a protected value are named', async () => {
    await given('other.xml', '<configuration>{cipher}@old</configuration>');
    const { exitCode, stderr } = await rotateAll(...NEW_AND_OLD);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^tessera: other\.xml:1: is not the XML of Java's properties/);
  });
});
