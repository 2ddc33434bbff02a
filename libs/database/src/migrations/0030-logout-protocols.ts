// Applications of more protocols than CAS: a session and a logout message name the protocol of each application. Programs
// before this migration write rows of CAS. They drop messages of other protocols, whose applications they do not know.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class LogoutProtocols implements Migration {
  readonly name = 'LogoutProtocols0000000000030';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table session_service add protocol text not null default 'cas';
      alter table logout_message add protocol text not null default 'cas';
      comment on column session_service.service_hash is
        'Of CAS: SHA-256 of the URL. Of another protocol: SHA-256 of its name, a zero byte and the client id.';
      comment on column session_service.service is
        'By which the registration is found: of CAS the URL, of oidc the client id.';
      comment on column session_service.tickets is
        'By which the application finds its own session, the oldest first: of CAS the last tickets, consumed and worth nothing any more.';
      comment on column session_service.protocol is 'cas or oidc.';
      comment on column logout_message.protocol is 'cas or oidc.';
      ${endSessionServices(', protocol')}
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ${endSessionServices('')}
      alter table session_service drop protocol;
      alter table logout_message drop protocol;
      comment on column session_service.service_hash is null;
      comment on column session_service.service is null;
      comment on column session_service.tickets is
        'The last tickets, oldest first: consumed, and worth nothing any more.';
    `);
  }
}

/** @param column that messages take over besides, with a comma before it */
function endSessionServices(column: string): string {
  return `
    create or replace function end_session_services() returns trigger language plpgsql as $$
    begin
      if exists (select from session_service where session_id = old.id) then
        with ended as (
          delete from session_service where session_id = old.id returning *
        )
        insert into logout_message (id, principal, service, ticket${column})
        select 'LR-' || replace(gen_random_uuid()::text, '-', ''), old.principal, service, ticket${column}
        from ended cross join unnest(tickets) as ticket;
      end if;
      return old;
    end $$;`;
}
