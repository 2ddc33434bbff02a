// An import at start opens no URL that one of its files keeps closed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { http } from '../support/http.js';
import { startSso, type Sso } from '../support/sso.js';

const CAS = 'org.apereo.cas.services';
/** As CAS saves it. */
const BROAD = `{
  @class: ${CAS}.RegexRegisteredService
  serviceId: ^https://.*
  name: Everything
  id: 1
  evaluationOrder: 1000
}`;
const PAY = {
  serviceId: '^https://pay\\.example\\.org/.*',
  name: 'Pay',
  id: 2,
  clientId: 'pay',
};
const LOOK_AHEAD = {
  '@class': `${CAS}.RegexRegisteredService`,
  serviceId: '^https://pay\\.example\\.org/(?!public/).*',
  name: 'Pay',
  id: 2,
  accessStrategy: { '@class': `${CAS}.DefaultRegisteredServiceAccessStrategy`, enabled: false },
};

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'services-'));
  await writeFile(join(directory, 'broad.json'), BROAD);
});
afterEach(() => rm(directory, { recursive: true }));

const write = (file: string, service: object) =>
  writeFile(join(directory, file), JSON.stringify(service));

const start = (...settings: readonly string[]) =>
  startSso({ settings: [`--sso.services.import=${directory}`, ...settings] });

/** The statuses of asking for tickets for these services. */
async function statuses(sso: Sso, ...services: readonly string[]): Promise<readonly number[]> {
  const tgt = await sso.login();
  const asked = services.map((service) =>
    http('POST', sso.url, `/v1/tickets/${tgt}`, { form: { service } }),
  );
  return (await Promise.all(asked)).map(({ status }) => status);
}

const SERVICES = ['https://pay.example.org/x', 'https://wiki.example.org/x'];

test.each([
  'org.apereo.cas.services.OidcRegisteredService',
  'org.apereo.cas.support.oauth.services.OAuthRegisteredService',
  'org.apereo.cas.support.saml.services.SamlRegisteredService',
])('a definition of class %s shuts no service out, and admits none', async (kind) => {
  await write('pay.json', { ...PAY, '@class': kind });
  await write('any.json', { ...PAY, '@class': kind, serviceId: '.*', id: 3 });
  const sso = await start();
  try {
    expect(await statuses(sso, ...SERVICES, 'http://pay.example.org/x')).toEqual([200, 200, 403]);
  } finally {
    await sso.close();
  }
});

describe('a file whose pattern cannot be kept', () => {
  const lines: string[] = [];
  const warnings = () =>
    lines
      .map((line) => JSON.parse(line) as { readonly level: string; readonly file?: string })
      .filter(({ level, file }) => level === 'warn' && file !== undefined);
  const refusal = {
    msg: 'a service file was refused',
    file: 'pay.json',
    reason: 'serviceId is not an RE2 pattern: invalid or unsupported Perl syntax: (?!',
    advice: expect.arrayContaining([
      'without it, https://pay.example.org/x belongs to "Everything" ' +
        '(enabled, order 1000, pattern ^https://.*)',
    ]),
  };

  beforeAll(() => {
    configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
  });
  afterAll(() => configureLogging({ application: 'sso', levels: {} }));
  beforeEach(async () => {
    lines.length = 0;
    await write('pay.json', LOOK_AHEAD);
  });

  test.each<[string, readonly string[], string]>([
    ['alone', [], 'pay.json is'],
    ['with others', ['z.json', 'y.json'], 'pay.json and 2 more files are'],
    ['after a name that a terminal obeys', ['a\u001b[2J.json'], 'a?[2J.json and 1 more file are'],
  ])('ends the start %s, and the log tells why', async (_, others, files) => {
    for (const other of others) await writeFile(join(directory, other), 'no JSON');
    await expect(start()).rejects.toMatchObject({
      code: 'SERVICE_FILES_REFUSED',
      message:
        `cannot import ${directory}: ${files} refused, so nothing was imported; ` +
        'correct what the log names, or set sso.services.skip-unreadable to import the other files',
    });
    expect(warnings()).toHaveLength(1 + others.length);
    expect(warnings()).toContainEqual(expect.objectContaining(refusal));
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test('is passed over with sso.services.skip-unreadable, and the log tells why', async () => {
    const sso = await start('--sso.services.skip-unreadable=true');
    try {
      expect(await statuses(sso, ...SERVICES)).toEqual([200, 200]);
      expect(warnings()).toEqual([expect.objectContaining(refusal)]);
    } finally {
      await sso.close();
    }
  });

  test('closes its URLs with sso.services.skip-unreadable, where its pattern can be read', async () => {
    await write('pay.json', {
      ...LOOK_AHEAD,
      serviceId: '^https://pay\\.example\\.org/',
      matchingStrategy: { '@class': `${CAS}.PartialRegexRegisteredServiceMatchingStrategy` },
    });
    const sso = await start('--sso.services.skip-unreadable=true');
    try {
      expect(await statuses(sso, ...SERVICES)).toEqual([403, 200]);
    } finally {
      await sso.close();
    }
  });
});
