// The service of a proxy-granting ticket, whose registration each proxy ticket depends on.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProxyServices implements MigrationInterface {
  readonly name = 'ProxyServices0000000000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table ticket_granting_ticket add column service text;
      comment on column ticket_granting_ticket.service is
        'For a PGT: the service whose validated ticket it was created from. Older PGTs have none, and grant nothing.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table ticket_granting_ticket drop column service');
  }
}
