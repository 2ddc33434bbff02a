// Runs `tessera service …` on a test database that has no services at the start of each test.
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { RegisteredServiceEntity, ServiceStore, type ServiceDefinition } from '@tessera/services';
import { runTessera } from './command-line.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { makeFolder, removeFolder } from './folders.js';

/** A service with no field at its default, except those of OpenID Connect. */
export const FULL_SERVICE: ServiceDefinition = {
  serviceId: 'https://a\\.example\\.org/.*',
  clientId: null,
  client: null,
  name: 'a',
  description: 'd',
  evaluationOrder: 7,
  enabled: false,
  expiresAt: '2027-06-30T16:00:00.000Z',
  ssoEnabled: false,
  requiredAttributes: { memberOf: ['staff'] },
  requireAllAttributes: false,
  rejectedAttributes: { memberOf: ['guest.*'] },
  unauthorizedRedirectUrl: 'https://a/refused',
  attributeRelease: { kind: 'mapped', names: { uid: ['id'] } },
  defaultAttributes: false,
  releasedValues: { id: ['4.*'] },
  protocolAttributes: false,
  usernameAttribute: { kind: 'attribute', name: 'mail', letterCase: 'lower' },
  proxyPolicy: { kind: 'pattern', pattern: 'https://p/.*' },
  responseType: 'post',
  serviceTicketLifetime: 5,
  proxyTicketLifetime: 6,
  logoutType: 'front',
  logoutUrl: 'https://a/out',
  properties: { dialect: 'apereo' },
};

/** Usable after `beforeAll`. */
export interface ServiceCommandSuite {
  readonly dataSource: TestDatabase['dataSource'];
  readonly store: ServiceStore;
  /** A temporary folder. */
  readonly directory: string;
  /** Runs the command of the suite with these arguments. */
  tessera(...args: readonly string[]): ReturnType<typeof runTessera>;
  /** Runs any command. */
  run(...args: readonly string[]): ReturnType<typeof runTessera>;
}

/** Registers the hooks of the suite. */
export function serviceCommandSuite(
  command: 'service' | 'client' = 'service',
): ServiceCommandSuite {
  let database: TestDatabase;
  let directory: string;
  beforeAll(async () => {
    database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
    directory = await makeFolder();
  });
  afterAll(async () => {
    await database.drop();
    await removeFolder(directory);
  });
  beforeEach(() => database.dataSource.query('delete from registered_service'));
  const run: ServiceCommandSuite['run'] = (...args) =>
    runTessera([...args, `--database.url=${database.url}`, `--settings.location=${directory}`]);
  return {
    get dataSource() {
      return database.dataSource;
    },
    get store() {
      return ServiceStore.of(database.dataSource);
    },
    get directory() {
      return directory;
    },
    tessera: (...args) => run(command, ...args),
    run,
  };
}
