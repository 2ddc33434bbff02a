// Reads a principal's attributes by an SQL query of the settings.
import { attributesViolation } from '@tessera/accounts';
import { ReadOnlyQuery, type QueryResult } from '@tessera/database';
import type { Attributes } from '@tessera/services';
import type { SqlSettings } from '../settings/sql-settings.js';
import type { AttributeSource } from './attribute-source.js';
import { AttributesError } from './attributes-error.js';

type Pair = readonly [name: string, values: readonly string[]];

export class SqlAttributes implements AttributeSource {
  /** No handler reads them. */
  readonly handlers: readonly string[] = [];

  private constructor(
    readonly name: string,
    private readonly query: ReadOnlyQuery,
    private readonly pairsOf: (result: QueryResult) => readonly Pair[],
  ) {}

  /** Connects at the first login. @throws DatabaseError DATABASE_REFUSED where the URL names an unreadable file */
  static async open(settings: SqlSettings, applicationName: string): Promise<SqlAttributes> {
    const { handler, query, poolSize, timeout } = settings;
    const url = settings.url?.reveal() ?? '';
    const options = { url, query, poolSize, timeout, applicationName };
    const pairsOf = settings.result === 'columns' ? pairsOfColumns : pairsOfRows;
    return new SqlAttributes(handler, await ReadOnlyQuery.open(options), pairsOf);
  }

  /** @throws AttributesError ATTRIBUTES_UNAVAILABLE; ATTRIBUTES_INVALID for a result that cannot be attributes */
  async attributesOf(id: string): Promise<Attributes | undefined> {
    const result = await this.query.run(id).catch((error: unknown) => {
      const message = `The attributes of the source ${this.name} are not available.`;
      throw new AttributesError('ATTRIBUTES_UNAVAILABLE', message, error);
    });
    if (result.rows.length === 0) return undefined;
    if (this.pairsOf === pairsOfRows && result.columns.length !== 2) {
      throw this.invalid('name-value needs two columns');
    }
    const values = new Map<string, readonly string[]>();
    for (const [name, more] of this.pairsOf(result)) {
      values.set(name, [...new Set([...(values.get(name) ?? []), ...more])]);
    }
    const attributes = Object.fromEntries([...values].filter(([, { length }]) => length > 0));
    const violation = attributesViolation(attributes);
    if (violation !== undefined) throw this.invalid(violation);
    return attributes;
  }

  close(): Promise<void> {
    return this.query.close();
  }

  private invalid(reason: string): AttributesError {
    const message = `The query of the source ${this.name} returns no attributes: ${reason}.`;
    return new AttributesError('ATTRIBUTES_INVALID', message);
  }
}

function pairsOfColumns({ columns, rows }: QueryResult): readonly Pair[] {
  return rows.flatMap((row) => columns.map((name, index): Pair => [name, row[index] ?? []]));
}

/** The first column has the name, the second the value. */
function pairsOfRows({ rows }: QueryResult): readonly Pair[] {
  return rows.flatMap(([names = [], values = []]) => names.map((name): Pair => [name, values]));
}
