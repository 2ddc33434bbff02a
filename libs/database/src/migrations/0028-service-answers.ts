// How browsers are answered for a service: where refused users are sent, and how the ticket gets to the service.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class ServiceAnswers implements Migration {
  readonly name = 'ServiceAnswers0000000000028';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table registered_service
        add unauthorized_redirect_url text,
        add response_type text not null default 'redirect';
      comment on column registered_service.unauthorized_redirect_url is
        'Where browsers of refused users are sent, in place of a page.';
      comment on column registered_service.response_type is
        'How the browser brings the ticket: redirect or post.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table registered_service drop unauthorized_redirect_url, drop response_type',
    );
  }
}
