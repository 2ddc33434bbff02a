// The backend `postgres`: rows of a table as sources, with the names of Spring Cloud Config's JDBC backend.
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
  /** For queries without a label. */
  readonly defaultLabel: string;
  /** The database, for the log: `database orders at db.example.org:5432`. */
  readonly place: string;
}

/** Each request runs one statement. A label without rows is an empty environment, not an error. */
export class PostgresBackend implements EnvironmentBackend {
  readonly name = 'postgres';

  constructor(private readonly options: PostgresBackendOptions) {}

  async find(query: EnvironmentQuery): Promise<BackendEnvironment> {
    const names = storedNames(query);
    const rows = Map.groupBy(await this.rowsOf(names, query.label), keyOf);
    const sources = names.flatMap((name) => sourcesOf(name, rows.get(keyOf(name))));
    return { revision: revisionOf(sources), version: null, state: null, sources };
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
      const cause = new Error(`cannot query the ${place}`, { cause: toDatabaseError(error) });
      throw BackendError.unavailable(this.name, cause);
    }
  }
}

/** Unique, unlike names of sources: `a-b` is an application, or application `a` with profile `b`. */
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
