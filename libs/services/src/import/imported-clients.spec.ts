// Clients of service files in the database: their secrets, their pseudonyms, and which file counts.
import { beforeEach, expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { serviceImportSuite } from '../../../../test/support/service-import.js';
import { release } from '../release.js';
import { ClientSecrets } from '../registry/client-secrets-store.js';

const suite = serviceImportSuite();
const hashing = new PasswordHashing({ memory: 8_192, iterations: 1, parallelism: 1 });
let secrets: ClientSecrets;

beforeEach(() => {
  secrets = new ClientSecrets(suite.manager);
});

const file = (fields: object = {}): string =>
  suite.service({
    '@class': 'org.apereo.cas.services.OidcRegisteredService',
    serviceId: 'https://app.example.org/cb',
    clientId: 'app',
    clientSecret: 'first',
    ...fields,
  });

const run = (options: object = {}) =>
  suite.run(suite.directory, {
    adoptSecrets: (given) => secrets.adopt(given, hashing),
    ...options,
  });

const isSecret = (id: string, secret: string): Promise<boolean> =>
  secrets.matches(id, secret, async (hashes) => {
    const matching = await Promise.all(hashes.map((hash) => hashing.verify(hash, secret)));
    return matching.includes(true);
  });

async function idOf(clientId: string): Promise<string> {
  const found = (await suite.store.list()).find((each) => each.clientId === clientId);
  if (found === undefined) throw new Error('there is no such client');
  return found.id;
}

test('an imported secret matches, as a slow hash', async () => {
  await suite.write('a.json', file());
  expect(await run()).toMatchObject({ complete: true, outcomes: { 'a.json': 'added' } });
  const id = await idOf('app');
  const valid = ['first', 'other'].map((each) => isSecret(id, each));
  expect(await Promise.all(valid)).toEqual([true, false]);
  const [row] = await suite.manager.query<readonly object[]>('select hash from client_secret');
  expect(row).toEqual({ hash: expect.stringMatching(/^\$argon2id\$/) });
});

test('a client with a secret keeps it at the next import', async () => {
  await suite.write('a.json', file());
  await run();
  const id = await idOf('app');
  const { secret } = await secrets.add(id, { othersEndAfter: 0 });
  await suite.write('a.json', file({ clientSecret: 'second' }));
  expect(await run()).toMatchObject({ outcomes: { 'a.json': 'unchanged' } });
  const valid = ['first', 'second', secret].map((each) => isSecret(id, each));
  expect(await Promise.all(valid)).toEqual([false, false, true]);
});

test('a dry run, and an import that is refused, store no secret', async () => {
  await suite.write('a.json', file());
  await run();
  await suite.manager.query('delete from client_secret');
  await run({ dryRun: true });
  await suite.write('b.json', '');
  expect(await run()).toMatchObject({ refused: true });
  expect(await secrets.list(await idOf('app'))).toEqual([]);
});

test('the second file with a client id is ignored', async () => {
  await suite.write('a.json', file());
  await suite.write('b.json', file({ id: 2 }));
  expect(await run()).toEqual({
    complete: false,
    refused: false,
    outcomes: {
      'a.json': 'added',
      'b.json': 'ignored: has the clientId of a.json, which is imported: give one of them another',
    },
  });
});

test('a client that an operator registered is the one of the file', async () => {
  const redirectUris = ['https://old.example.org/cb'];
  await suite.store.add({ name: 'old', clientId: 'app', client: { redirectUris } });
  await suite.write('a.json', file());
  expect(await run()).toMatchObject({ outcomes: { 'a.json': 'changed' } });
  expect(await suite.store.list()).toMatchObject([{ clientId: 'app', name: 'a' }]);
});

test('a file without a client id removes the service that was imported from it', async () => {
  await suite.write('a.json', suite.service());
  await run();
  await suite.write('a.json', file({ clientId: '' }));
  expect(await run()).toMatchObject({
    outcomes: { 'a.json': 'removed: has no clientId that a client could use' },
  });
});

test('users keep the pairwise identifiers of a salt', async () => {
  const principal = 'org.apereo.cas.authentication.principal';
  await suite.write(
    'a.json',
    file({
      serviceId: 'https://sso.example.org/oidc',
      subjectType: 'pairwise',
      usernameAttributeProvider: {
        '@class': 'org.apereo.cas.services.PairwiseOidcRegisteredServiceUsernameAttributeProvider',
        persistentIdGenerator: {
          '@class': `${principal}.OidcPairwisePersistentIdGenerator`,
          salt: 'cpaOl1pwGZ439!!',
        },
      },
    }),
  );
  const subjects: string[] = [];
  for (let imports = 0; imports < 2; imports += 1) {
    await run();
    const [service] = await suite.store.list();
    if (service !== undefined) {
      subjects.push(release(service, { id: 'casuser', attributes: {} }).id);
    }
  }
  expect(subjects).toEqual(Array(2).fill('9IOlxFj2XgfhkNJieynbw+Pm+4E='));
  expect(await run()).toMatchObject({ outcomes: { 'a.json': 'unchanged' } });
});
