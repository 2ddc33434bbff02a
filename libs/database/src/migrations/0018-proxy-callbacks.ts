// A proxy-granting ticket holds its own callback URL alone, not those of its whole chain.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProxyCallbacks implements MigrationInterface {
  readonly name = 'ProxyCallbacks0000000000018';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table ticket_granting_ticket
        add column callback_url text,
        drop constraint ticket_granting_ticket_is_session_or_proxy,
        add constraint ticket_granting_ticket_is_session_or_proxy check (
          case when session_id is null
            then parent_id is null and proxies is null and callback_url is null
              and principal is not null and attributes is not null and handler is not null
              and credential_type is not null and authenticated_at is not null
            else parent_id is not null and coalesce(callback_url, proxies[1]) is not null
              and principal is null
          end);
      comment on column ticket_granting_ticket.callback_url is
        'For a PGT: the callback URL of its proxy. The chain is that of the parents. Older PGTs have it first in proxies.';
      comment on column ticket_granting_ticket.proxies is
        'For nodes of an earlier version: the chain of a PGT, newest first. Null beyond the first proxy, so that they refuse the chain.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      delete from ticket_granting_ticket where session_id is not null and proxies is null;
      alter table ticket_granting_ticket
        drop constraint ticket_granting_ticket_is_session_or_proxy,
        drop column callback_url,
        add constraint ticket_granting_ticket_is_session_or_proxy check (
          case when session_id is null
            then parent_id is null and proxies is null and principal is not null
              and attributes is not null and handler is not null
              and credential_type is not null and authenticated_at is not null
            else parent_id is not null and proxies is not null and principal is null
          end);
      comment on column ticket_granting_ticket.proxies is null;
    `);
  }
}
