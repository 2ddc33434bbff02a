import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Form } from '@tessera/server';
import { type RegistrationDto, registrationInput, registrationPipe } from './registration.dto.js';

const GOOD = 'serviceId=https://wiki/.*&name=Wiki&description=Notes';

const pipe = registrationPipe();

async function read(form: string, query = ''): Promise<RegistrationDto> {
  const input = registrationInput(Form.parse(form), Form.parse(query));
  return (await pipe.transform(input, { type: 'body' })) as RegistrationDto;
}

/** A valid form in which one field is replaced. */
function withField(field: string, value: string): string {
  const fields = {
    serviceId: 'https://wiki/.*',
    name: 'Wiki',
    description: 'Notes',
    [field]: value,
  };
  return new URLSearchParams(fields).toString();
}

const ORDER = 'evaluationOrder must be an integer, -2147483648 to 2147483647';

describe('a form with violations is refused, with a line for each', () => {
  test.each([
    ['nothing', '', 'serviceId is missing\nname is missing\ndescription is missing'],
    [
      'empty fields',
      'serviceId=&name=&description=',
      'serviceId is missing\nname is missing\ndescription is missing',
    ],
    [
      'white space',
      'serviceId=%09&name=+&description=%0A',
      'serviceId is missing\nname is missing\ndescription is missing',
    ],
    [
      'arrays',
      'serviceId[]=x&name=a&description=b',
      'serviceId is missing\nthere is no field "serviceId%5B%5D"',
    ],
    ['a field twice', `${GOOD}&name=Wiki`, 'name is given more than once'],
    ['a switch twice', `${GOOD}&enabled=false&enabled=true`, 'enabled is given more than once'],
    ['an empty field twice', `${GOOD}&enabled=&enabled=`, 'enabled is given more than once'],
    ['a misspelt field', `${GOOD}&evaluationorder=5`, 'there is no field "evaluationorder"'],
    [
      'a field of other services',
      `${GOOD}&attributeRelease=all`,
      'there is no field "attributeRelease"',
    ],
    ['the id', `${GOOD}&id=7`, 'there is no field "id"'],
    [
      'a prototype',
      `${GOOD}&__proto__=x&constructor=y`,
      'there is no field "__proto__"\nthere is no field "constructor"',
    ],
    ['a field without a name', `${GOOD}&=x`, 'there is no field ""'],
    ['a name with a line break', `${GOOD}&a%0Ab=x`, 'there is no field "a%0Ab"'],
    ['a very long name', `${GOOD}&${'n'.repeat(5_000)}=x`, `there is no field "${'n'.repeat(64)}"`],
    [
      'everything at once',
      'serviceId=(&name=a&name=b&evaluationOrder=x&enabled=yes&ssoEnabled=2&theme=x',
      [
        'serviceId is not an RE2 pattern: missing closing ): (',
        'name is given more than once',
        'description is missing',
        ORDER,
        'enabled must be true or false',
        'ssoEnabled must be true or false',
        'there is no field "theme"',
      ].join('\n'),
    ],
  ])('%s', async (_, form, message) => {
    await expect(read(form)).rejects.toThrow(
      expect.objectContaining({ code: 'MALFORMED_REQUEST', message }),
    );
  });

  test.each([
    [
      'serviceId',
      '(?=https).*',
      'serviceId is not an RE2 pattern: invalid or unsupported Perl syntax: (?=',
    ],
    ['serviceId', '(a)\\1', 'serviceId is not an RE2 pattern: invalid escape sequence: \\1'],
    [
      'serviceId',
      'a{1000}'.repeat(3),
      'serviceId is too large a pattern: split it, or repeat less',
    ],
    ['serviceId', 'x'.repeat(2_001), 'serviceId must have at most 2000 characters'],
    ['serviceId', 'https://a\u0000/.*', 'serviceId must not contain control characters'],
    ['serviceId', 'https://a/.*\n', 'serviceId must not contain control characters'],
    ['name', 'n'.repeat(256), 'name must have at most 255 characters'],
    ['name', 'Wiki\u202e', 'name must not contain control characters'],
    ['name', 'a\nb', 'name must not contain control characters'],
    ['description', 'd'.repeat(2_001), 'description must have at most 2000 characters'],
    ['description', '\u0000', 'description must not contain control characters'],
    ...[
      ' ',
      '1.0',
      '1e3',
      '+1',
      '007',
      '-0',
      '0x10',
      'one',
      '2147483648',
      '-2147483649',
      '9'.repeat(400),
    ].map((value) => ['evaluationOrder', value, ORDER] as const),
    ...['yes', '2', '-1', '01', 'on', 't', ' ', ' true', 'fal\u017fe'].flatMap((value) => [
      ['enabled', value, 'enabled must be true or false'] as const,
      ['ssoEnabled', value, 'ssoEnabled must be true or false'] as const,
    ]),
  ])('%s=%j', async (field, value, message) => {
    await expect(read(withField(field, value))).rejects.toThrow(
      expect.objectContaining({ message }),
    );
  });

  test('a field in the query is reported, also where the body has it', async () => {
    await expect(read(GOOD, 'name=Wiki&x=1')).rejects.toThrow(
      expect.objectContaining({
        message:
          '"name" must be in the body, not in the query\n"x" must be in the body, not in the query',
      }),
    );
  });
});

describe('a valid form is accepted', () => {
  test('without optional fields, which get their defaults later', async () => {
    expect(await read(GOOD)).toMatchObject({
      serviceId: 'https://wiki/.*',
      name: 'Wiki',
      description: 'Notes',
      evaluationOrder: undefined,
      enabled: undefined,
      ssoEnabled: undefined,
    });
  });

  test('with optional fields that are empty, as if they were absent', async () => {
    expect(await read(`${GOOD}&evaluationOrder=&enabled=&ssoEnabled`)).toEqual(await read(GOOD));
  });

  test.each([
    ...['true', 'True', 'TRUE', 'tRuE', '1'].map((value) => [value, true] as const),
    ...['false', 'False', 'FALSE', 'fAlSe', '0'].map((value) => [value, false] as const),
  ])('with booleans as form encoders of other languages send them: %s', async (value, truth) => {
    expect(await read(`${GOOD}&enabled=${value}&ssoEnabled=${value}`)).toMatchObject({
      enabled: truth,
      ssoEnabled: truth,
    });
  });

  test('with every field it gives', async () => {
    const form = `${GOOD}&evaluationOrder=-5&enabled=false&ssoEnabled=false`;
    expect(await read(form)).toMatchObject({
      evaluationOrder: -5,
      enabled: false,
      ssoEnabled: false,
    });
  });

  test('whatever integer the order is', async () => {
    const order = fc.integer({ min: -2_147_483_648, max: 2_147_483_647 });
    await fc.assert(
      fc.asyncProperty(order, async (evaluationOrder) => {
        const form = await read(`${GOOD}&evaluationOrder=${evaluationOrder}`);
        expect(form).toMatchObject({ evaluationOrder });
      }),
    );
  });

  test.each([
    ['serviceId', '(a+)+$'],
    ['serviceId', 'x'.repeat(2_000)],
    ['name', 'Personalb\u00fcro \ud83d\ude00'],
    ['name', "Robert'); drop table registered_service;--"],
    ['description', 'two\r\nlines\tand a tab'],
  ])('with the text as it was sent: %s=%j', async (field, value) => {
    expect(await read(withField(field, value))).toMatchObject({ [field]: value });
  });
});
