// A database and a directory of service files for each test of the import.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import {
  importServiceFiles,
  type ImportOptions,
  RegisteredServiceEntity,
  ServiceStore,
} from '@tessera/services';
import { createTestDatabase, type TestDatabase } from './database.js';

export interface ImportSuite {
  readonly manager: EntityManager;
  readonly store: ServiceStore;
  readonly directory: string;
  /** The text of a service file. */
  readonly service: (fields?: object) => string;
  readonly write: (file: string, content: string | Buffer) => Promise<void>;
  /** Imports, and returns a short outcome for each file. */
  readonly run: (path?: string, options?: ImportOptions) => Promise<ImportOutcomes>;
}

interface ImportOutcomes {
  readonly complete: boolean;
  readonly refused: boolean;
  readonly outcomes: object;
}

export function serviceImportSuite(): ImportSuite {
  let database: TestDatabase;
  let store: ServiceStore;
  let directory: string;
  beforeAll(async () => {
    database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
    store = ServiceStore.of(database.dataSource);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.dataSource.query('delete from registered_service');
    directory = await mkdtemp(join(tmpdir(), 'tessera-services-'));
  });
  afterEach(() => rm(directory, { recursive: true }));
  return {
    get manager() {
      return database.dataSource.manager;
    },
    get store() {
      return store;
    },
    get directory() {
      return directory;
    },
    service: fileOf,
    write: (file, content) => writeFile(join(directory, file), content),
    run: async (path = directory, options = {}) => {
      const { files, complete, refused } = await importServiceFiles(store, path, options);
      const outcomes = files.map((each) => [
        each.file,
        'reason' in each ? `${each.outcome}: ${each.reason}` : each.outcome,
      ]);
      return { complete, refused, outcomes: Object.fromEntries(outcomes) as object };
    },
  };
}

const fileOf = (fields: object = {}): string =>
  JSON.stringify({
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: 'https://a/.*',
    name: 'a',
    id: 1,
    ...fields,
  });
