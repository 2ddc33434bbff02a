// Several sources: their order, which are asked, and what happens while some are away.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import type { Attributes } from '@tessera/services';
import { PrincipalSettings } from '../settings/principal-settings.js';
import type { AttributeSource } from './attribute-source.js';
import { FurtherAttributes } from './further-attributes.js';

const ALICE = { id: 'alice', attributes: { mail: ['of the handler'] } };

let asked: string[];
let lines: string[];

beforeEach(() => {
  asked = [];
  lines = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => void lines.push(line) });
});

/** @param content what it has of the user; an error where it is away */
function source(name: string, content: Attributes | Error | undefined): AttributeSource {
  return {
    name,
    handlers: [name],
    attributesOf(id) {
      asked.push(`${name} of ${id}`);
      return content instanceof Error ? Promise.reject(content) : Promise.resolve(content);
    },
  };
}

const furtherOf = (sources: readonly AttributeSource[], rules: Partial<PrincipalSettings> = {}) =>
  new FurtherAttributes(sources, Object.assign(new PrincipalSettings(), rules));

describe('a login', () => {
  const away = new Error('the second is away');
  const late = new Error('the third is away');

  test('is undecided with the error of the first source that is away', async () => {
    const sources = [source('a', {}), source('b', away), source('c', late)];
    await expect(furtherOf(sources).of(ALICE, 'static')).rejects.toBe(away);
  });

  test('is undecided where an optional source is away, and another one too', async () => {
    const sources = [source('b', away), source('c', late)];
    const further = furtherOf(sources, { optionalSources: ['b'] });
    await expect(further.of(ALICE, 'static')).rejects.toBe(late);
  });

  test('does without an optional source that is away, and says so in the log', async () => {
    const sources = [source('b', away), source('a', { sn: ['Liddell'] })];
    const further = furtherOf(sources, { optionalSources: ['b'] });
    expect(await further.of(ALICE, 'static')).toEqual({ ...ALICE.attributes, sn: ['Liddell'] });
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'warn', source: 'b', principal: 'alice' }),
    ]);
  });

  test('waits for no source before it asks the next', async () => {
    const slow = Promise.withResolvers<Attributes>();
    const first = { ...source('a', {}), attributesOf: () => slow.promise };
    const reading = furtherOf([first, source('b', { mail: ['of b'] })]).of(ALICE, 'static');
    expect(asked).toEqual(['b of alice']);
    slow.resolve({ mail: ['of a'] });
    expect(await reading).toEqual({ mail: ['of b'] });
  });

  test('reads nothing again from a source that the handler has read, which keeps its place', async () => {
    const sources = [source('b', { mail: ['of b'] }), source('a', { mail: ['not asked'] })];
    expect(await furtherOf(sources).of(ALICE, 'a')).toEqual(ALICE.attributes);
    expect(await furtherOf(sources).of(ALICE, 'b')).toEqual({ mail: ['not asked'] });
    expect(asked).toEqual(['b of alice', 'a of alice']);
  });

  test('has attributes that are computed of all, also without a source', async () => {
    const computedAttributes = { displayName: '{mail|first} {sn|default:-}' };
    const further = furtherOf([source('a', { sn: ['Liddell'] })], { computedAttributes });
    expect(await further.of(ALICE, 'static')).toEqual({
      ...ALICE.attributes,
      sn: ['Liddell'],
      displayName: ['of the handler Liddell'],
    });
    expect(await furtherOf([], { computedAttributes }).of(ALICE, 'static')).toEqual({
      ...ALICE.attributes,
      displayName: ['of the handler -'],
    });
  });

  test('has the attributes of the handler alone where no source has the user, or none is set', async () => {
    expect(await furtherOf([source('a', undefined)]).of(ALICE, 'static')).toEqual(ALICE.attributes);
    expect(await furtherOf([]).of(ALICE, 'static')).toBe(ALICE.attributes);
  });
});

describe('the attributes of a source', () => {
  const rules = { cacheFor: 60_000 };

  test('are kept for further logins of the same user alone', async () => {
    const further = furtherOf([source('a', { sn: ['Liddell'] }), source('b', undefined)], rules);
    for (const id of ['alice', 'alice', 'bob']) await further.of({ ...ALICE, id }, 'static');
    const known = ['a of alice', 'b of alice', 'b of alice', 'a of bob', 'b of bob'];
    expect(asked).toEqual(known);
  });

  test('are read each time without the setting', async () => {
    const further = furtherOf([source('a', { sn: ['Liddell'] })]);
    for (const id of ['alice', 'alice']) await further.of({ ...ALICE, id }, 'static');
    expect(asked).toEqual(['a of alice', 'a of alice']);
  });

  test('are read anew for decisions about roles, and then kept', async () => {
    let content: Attributes | undefined = { memberOf: ['admin'] };
    const changing = { ...source('a', {}), attributesOf: () => Promise.resolve(content) };
    const further = furtherOf([changing], rules);
    const of = async (reading: 'cached' | 'anew') =>
      (await further.of(ALICE, 'static', reading))['memberOf'];
    expect(await of('cached')).toEqual(['admin']);
    content = { memberOf: ['user'] };
    expect([await of('cached'), await of('anew'), await of('cached')]).toEqual([
      ['admin'],
      ['user'],
      ['user'],
    ]);
    content = undefined;
    expect([await of('anew'), await of('cached')]).toEqual([undefined, undefined]);
  });

  test('are not kept while it is away', async () => {
    let content: Attributes | Error = new Error('away');
    const changing: AttributeSource = {
      ...source('a', {}),
      attributesOf: () =>
        content instanceof Error ? Promise.reject(content) : Promise.resolve(content),
    };
    const further = furtherOf([changing], { ...rules, optionalSources: ['a'] });
    expect(await further.of(ALICE, 'static')).toEqual(ALICE.attributes);
    content = { sn: ['Liddell'] };
    expect(await further.of(ALICE, 'static')).toEqual({ ...ALICE.attributes, ...content });
  });
});
