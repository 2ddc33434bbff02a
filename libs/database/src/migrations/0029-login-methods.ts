// A session knows how its user proved who he is, and when. Programs before this migration write no methods: they are those of
// the kind of credential then.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class LoginMethods implements Migration {
  readonly name = 'LoginMethods0000000000029';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table ticket_granting_ticket add methods jsonb;
      comment on column ticket_granting_ticket.methods is
        'How the user proved who he is at the last login, in this order: [{"method": "password", "at": time}]. Null where an older program stored the session.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table ticket_granting_ticket drop methods');
  }
}
