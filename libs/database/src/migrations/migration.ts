import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A numbered change of the schema. The name ends in the number, in 13 digits. Nodes that have it not may serve beside it,
 * from {@link compatibleFrom} on.
 */
export interface Migration extends Omit<MigrationInterface, 'transaction'> {
  readonly name: string;
  /**
   * The oldest program that works on the schema after this migration: the number of the newest migration that program has.
   * Recorded in the database. Every migration from 0024 on has it.
   */
  readonly compatibleFrom?: number;
  /** Whether all nodes must be stopped first, because it blocks requests for longer than a moment. */
  readonly isOffline?: boolean;
  /** False for statements that PostgreSQL refuses in a transaction. A second `up` after an interrupted one must work. */
  readonly transaction?: false;
  up(queryRunner: QueryRunner): Promise<void>;
}

export type MigrationClass = new () => Migration;

/** @returns 24 for 0024 */
export function numberOf({ name }: Pick<Migration, 'name'>): number {
  return Number(name.slice(-13));
}

/** @returns `0024` for 24 */
export function fourDigits(number: number): string {
  return String(number).padStart(4, '0');
}
