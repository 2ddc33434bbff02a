// The console has a token for each session of an operator, of which only the hash is stored.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ConsoleTokens implements MigrationInterface {
  readonly name = 'ConsoleTokens0000000000016';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table ticket_granting_ticket add console_token_hash bytea;
      comment on column ticket_granting_ticket.console_token_hash is
        'SHA-256 of the token with which a browser uses the console in this session.';
      create unique index ticket_granting_ticket_console_token_hash
        on ticket_granting_ticket (console_token_hash) where console_token_hash is not null`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table ticket_granting_ticket drop console_token_hash');
  }
}
