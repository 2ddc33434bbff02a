// Programs with other migrations than this one, for specs of upgrades.
import type { DataSource, QueryRunner } from 'typeorm';
import { connect, type Migration, type MigrationClass } from '@tessera/database';
import { createEmptyDatabase } from './database.js';

export interface Programs {
  readonly url: string;
  /** Connects a program that has these migrations. */
  programWith(...migrations: MigrationClass[]): Promise<DataSource>;
  /** Removes the database. */
  drop(): Promise<void>;
  /** Disconnects them all, and removes their database. */
  close(): Promise<void>;
}

/** Programs on one database, which is empty at first. */
export async function openPrograms(): Promise<Programs> {
  const { url, drop } = await createEmptyDatabase();
  const open: DataSource[] = [];
  return {
    url,
    drop,
    async programWith(...migrations) {
      const dataSource = await connect({ url, applicationName: 'spec', migrations });
      open.push(dataSource);
      return dataSource;
    },
    async close() {
      await Promise.all(open.map((dataSource) => dataSource.destroy()));
      await drop();
    },
  };
}

/** A migration of these statements. @param facts its name, or more about it */
export function migration(
  facts: string | Omit<Migration, 'up' | 'down'>,
  ...statements: string[]
): MigrationClass {
  const given = typeof facts === 'string' ? { name: facts } : facts;
  return class implements Migration {
    readonly name = given.name;
    constructor() {
      Object.assign(this, given);
    }
    async up(session: QueryRunner): Promise<void> {
      for (const statement of statements) await session.query(statement);
    }
    async down(): Promise<void> {}
  };
}
