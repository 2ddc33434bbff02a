// The table that counts requests of client addresses, for rate limits. The index on expires_at is for cleaning only: its
// predicate keeps it out of the plans of look-ups by key.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RequestRates implements MigrationInterface {
  readonly name = 'RequestRates0000000000007';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create unlogged table request_rate (
        key bytea primary key,
        requests integer not null,
        expires_at timestamptz not null
      );
      create index request_rate_expires_at on request_rate (expires_at) where expires_at < 'infinity';
      comment on table request_rate is
        'Requests in the current window; key is the SHA-256 of a route and a client address. Emptied by a crash.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table request_rate');
  }
}
