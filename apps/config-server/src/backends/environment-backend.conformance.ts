// The tests that every backend passes; the spec of each runs them on its own store. Labels and plain files are optional, so
// they are tested there.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BackendError } from './backend-error.js';
import type {
  EnvironmentBackend,
  EnvironmentQuery,
  PropertySource,
} from './environment-backend.js';

/** The properties of one application, in one profile or in all. */
export interface StoredProperties {
  readonly application: string;
  readonly profile?: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface BackendUnderTest {
  readonly backend: EnvironmentBackend;
  /** Replaces the content of the store, each entry atomically; resolves when the backend can see it. */
  change(stored: readonly StoredProperties[]): Promise<void>;
  /** Makes the store unavailable; resolves when the backend can see it. */
  break(): Promise<void>;
  /** Makes the store available again. */
  repair(): Promise<void>;
  close(): Promise<void>;
}

/** From the weakest to the strongest, for `/a,b/p,q`. */
const STORED: readonly StoredProperties[] = [
  { application: 'application', properties: { k: 'application', shared: 'yes' } },
  { application: 'a', properties: { k: 'a' } },
  { application: 'b', properties: { k: 'b' } },
  { application: 'application', profile: 'p', properties: { k: 'application-p' } },
  { application: 'a', profile: 'p', properties: { k: 'a-p', 'list[0]': 'x', 'ü.€': 'grün' } },
  { application: 'b', profile: 'p', properties: { k: 'b-p' } },
  { application: 'application', profile: 'q', properties: { k: 'application-q' } },
  { application: 'a', profile: 'q', properties: { k: 'a-q' } },
  { application: 'b', profile: 'q', properties: { k: 'b-q' } },
];
/** The content before a change. */
const ONE: readonly StoredProperties[] = [{ application: 'a', properties: { k: 'a' } }];
/** In characters: enough to write a file in more than one step. */
const PADDING = 9_000;
const EVERYTHING = ['b-q', 'a-q', 'application-q', 'b-p', 'a-p', 'application-p', 'b', 'a'];

/** @param open returns a backend without properties */
export function describeBackend(name: string, open: () => Promise<BackendUnderTest>): void {
  describe(`environment backend ${name}`, () => {
    let opened: BackendUnderTest | undefined;
    const underTest = (): BackendUnderTest => opened!;

    beforeAll(async () => {
      opened = await open();
      await opened.change(STORED);
    });
    afterAll(() => opened?.close());

    describeOrder(underTest);
    describeRevisions(underTest);
    describeOutages(underTest);
  });
}

function describeOrder(underTest: () => BackendUnderTest): void {
  test.each([
    ['the application before all others', 'a', 'none', ['a', 'application']],
    ['its profile before them', 'a', 'p', ['a-p', 'application-p', 'a', 'application']],
    ['the later of two applications first', 'a,b', 'none', ['b', 'a', 'application']],
    ['and in the order given', 'b,a', 'none', ['a', 'b', 'application']],
    ['profiles before applications', 'a,b', 'p,q', [...EVERYTHING, 'application']],
    ['everything once, named twice', 'a,b,a', 'p,q,p', [...EVERYTHING, 'application']],
    ['what is for all, for an unknown application', 'nobody', 'none', ['application']],
    ['that of its profile too', 'nobody', 'q', ['application-q', 'application']],
    ['it once, asked for by name', 'application', 'none', ['application']],
    ['it last, asked for last', 'a,application', 'p', ['a-p', 'application-p', 'a', 'application']],
    ['nothing in another case', 'A', 'P', ['application']],
    ['nothing for a pattern', 'a%', 'p_', ['application']],
    ['nothing for the name of a name', '__proto__', 'constructor', ['application']],
  ])('gives %s', async (_what, applications, profiles, expected) => {
    const { sources } = await underTest().backend.find(queryOf(applications, profiles));
    expect(sources.map(({ properties }) => properties.get('k')?.value)).toEqual(expected);
  });

  test('gives each source its own name', async () => {
    const { sources } = await underTest().backend.find(queryOf('a,b', 'p,q'));
    expect(new Set(sources.map((source) => source.name)).size).toBe(EVERYTHING.length + 1);
  });

  test('gives keys and values as they are held', async () => {
    const { sources } = await underTest().backend.find(queryOf('a', 'p'));
    expect(propertiesOf(sources[0])).toEqual({ k: 'a-p', 'list[0]': 'x', 'ü.€': 'grün' });
  });

  test('is named as the settings name it', () => {
    expect(underTest().backend.name).toMatch(/^[a-z][a-z0-9]*$/);
  });
}

function describeRevisions(underTest: () => BackendUnderTest): void {
  test('keeps the revision while nothing changes', async () => {
    const first = await underTest().backend.find(queryOf('a', 'p'));
    expect(await underTest().backend.find(queryOf('a', 'p'))).toEqual(first);
  });

  test.each<[string, readonly StoredProperties[]]>([
    ['another value', [{ application: 'a', properties: { k: 'b' } }]],
    ['another key', [{ application: 'a', properties: { j: 'a' } }]],
    ['one key more', [{ application: 'a', properties: { k: 'a', j: '' } }]],
    ['one source more', [...ONE, { application: 'a', profile: 'p', properties: { k: 'p' } }]],
    ['the same in another source', [{ application: 'application', properties: { k: 'a' } }]],
    ['nothing left', []],
  ])('returns a change in the next query, with another revision: %s', async (_what, changed) => {
    const { backend, change } = underTest();
    await change(ONE);
    const before = await backend.find(queryOf('a', 'p'));
    await change(changed);
    const after = await backend.find(queryOf('a', 'p'));
    expect(before.sources.map(propertiesOf)).toEqual([{ k: 'a' }]);
    expect(after.sources.map(propertiesOf)).toEqual(
      changed.map(({ properties }) => properties).toReversed(),
    );
    expect(after.revision).not.toBe(before.revision);
    await change(STORED);
  });

  test('gives concurrent queries the same answer', async () => {
    const queries = Array.from({ length: 50 }, () => underTest().backend.find(queryOf('a,b', 'p')));
    const answers = await Promise.all(queries);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('gives a source as it was or as it is, never half of each', async () => {
    const { backend, change } = underTest();
    const version = (value: string): StoredProperties[] => [
      {
        application: 'a',
        properties: { first: value, padding: value.repeat(PADDING), last: value },
      },
    ];
    await change(version('0'));
    const changes = new AbortController();
    const answers: (readonly [string, string, string])[] = [];
    const poll = async () => {
      while (!changes.signal.aborted) {
        const { sources } = await backend.find(queryOf('a', 'none'));
        const { first = '', padding = '', last = '' } = propertiesOf(sources[0]);
        answers.push([first, padding, last]);
        await sleep(1); // an answer from memory never yields to the event loop
      }
    };
    const polling = Promise.all([poll(), poll(), poll()]);
    for (const value of ['1', '2', '3', '4', '5']) await change(version(value));
    changes.abort();
    await polling;
    expect(answers.length).toBeGreaterThan(0);
    for (const [first, padding, last] of answers) {
      expect(first).toMatch(/^[0-5]$/);
      expect([padding === first.repeat(PADDING), last]).toEqual([true, first]);
    }
    await change(STORED);
  });
}

function describeOutages(underTest: () => BackendUnderTest): void {
  test('says BACKEND_UNAVAILABLE and its name while it is out of reach, then answers again', async () => {
    const { backend, ...store } = underTest();
    const before = await backend.find(queryOf('a', 'p'));
    await store.break();
    const queries = ['a', 'nobody', 'b'].map((name) => backend.find(queryOf(name, 'p')));
    for (const answer of await Promise.allSettled(queries)) {
      const { code, message, isTemporary } = (answer as PromiseRejectedResult)
        .reason as BackendError;
      expect([code, isTemporary]).toEqual(['BACKEND_UNAVAILABLE', true]);
      expect(message).toBe(`backend ${backend.name} is not available`);
    }
    await store.repair();
    expect(await backend.find(queryOf('a', 'p'))).toEqual(before);
  });
}

/** @param applications separated by commas, as are the profiles */
export function queryOf(applications: string, profiles: string, label?: string): EnvironmentQuery {
  return { applications: applications.split(','), profiles: profiles.split(','), label };
}

/** The name and the text of the properties file, for backends of files. */
export function propertiesFile({
  application,
  profile,
  properties,
}: StoredProperties): [string, string] {
  const lines = Object.entries(properties).map(([key, value]) => `${key}=${value}\n`);
  const suffix = profile === undefined ? '' : `-${profile}`;
  return [`${application}${suffix}.properties`, lines.map(escape).join('')];
}

/** @see java.util.Properties, whose files need not be UTF-8 */
function escape(text: string): string {
  const code = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
  return text.replaceAll(/[^\0-\x7f]/g, (character) => `\\u${code(character)}`);
}

function propertiesOf(source: PropertySource | undefined): Record<string, string> {
  const entries = [...(source?.properties ?? [])].map(([key, { value }]) => [key, value]);
  return Object.fromEntries(entries) as Record<string, string>;
}
