// Keeps properties in the table `properties`, and is the only code that touches it.
import type { Pool } from 'pg';

export interface PropertiesQuery {
  readonly label: string;
  readonly applications: readonly string[];
  /** `''` for what holds in every profile. */
  readonly profiles: readonly string[];
}

export interface PropertyRow {
  readonly application: string;
  readonly profile: string;
  readonly key: string;
  readonly value: string;
}

const FIND = `select application, profile, key, value from properties
  where label = $1 and application = any ($2::text[]) and profile = any ($3::text[])
  order by application, profile, key`;

export class PropertiesStore {
  constructor(private readonly pool: Pool) {}

  /** The rows of any of the applications in any of the profiles, by their keys' code points; one statement. */
  async find({ label, applications, profiles }: PropertiesQuery): Promise<readonly PropertyRow[]> {
    const { rows } = await this.pool.query<PropertyRow>({
      name: 'find-properties',
      text: FIND,
      values: [label, applications, profiles],
    });
    return rows;
  }
}
