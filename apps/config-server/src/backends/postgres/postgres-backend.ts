// Owns the backend `postgres`: rows of a table as sources, named as Spring Cloud Config's JDBC backend names them.
import { toDatabaseError } from '@tessera/database';
import type { Property } from '@tessera/property-sources';
import { BackendError } from '../backend-error.js';
import type {
  BackendEnvironment,
  EnvironmentBackend,
  EnvironmentQuery,
  PropertySource,
} from '../environment-backend.js';
import { revisionOf, storedNames, type StoredName } from '../stored-sources.js';
import type { PropertiesStore, PropertyRow } from './properties-store.js';

export interface PostgresBackendOptions {
  readonly store: Pick<PropertiesStore, 'find'>;
  /** For queries that have none. */
  readonly defaultLabel: string;
  /** Which database it is, for the log: `database orders at db.example.org:5432`. */
  readonly place: string;
  close(): Promise<void>;
}

/** Looks at every request, with one statement; a label nobody has written to is empty. */
export class PostgresBackend implements EnvironmentBackend {
  readonly name = 'postgres';

  constructor(private readonly options: PostgresBackendOptions) {}

  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const names = storedNames(query);
    const rows = Map.groupBy(await this.rowsOf(names, query.label), keyOf);
    const sources = names.flatMap((name) => sourcesOf(name, rows.get(keyOf(name))));
    return { revision: revisionOf(sources), version: null, state: null, sources };
  }

  close(): Promise<void> {
    return this.options.close();
  }

  private async rowsOf(
    names: readonly StoredName[],
    label = this.options.defaultLabel,
  ): Promise<readonly PropertyRow[]> {
    const applications = [...new Set(names.map(({ application }) => application))];
    const profiles = [...new Set(names.map(({ profile = '' }) => profile))];
    const { store, place } = this.options;
    try {
      return await store.find({ label, applications, profiles });
    } catch (error) {
      const cause = new Error(`cannot ask the ${place}`, { cause: toDatabaseError(error) });
      throw BackendError.unavailable(this.name, cause);
    }
  }
}

/** The names of two sources may be the same: `a-b` is an application, and the profile `b` of another. */
function keyOf({ application, profile = '' }: StoredName | PropertyRow): string {
  return JSON.stringify([application, profile]);
}

function sourcesOf(
  { application, profile }: StoredName,
  rows: readonly PropertyRow[] = [],
): readonly PropertySource[] {
  if (rows.length === 0) return [];
  const name = profile === undefined ? application : `${application}-${profile}`;
  return [{ name, properties: new Map(rows.map(({ key, value }) => [key, propertyOf(value)])) }];
}

function propertyOf(value: string): Property {
  return { value };
}
