// What clients of OpenID Connect have got ends with its owners: a client id and a user name can have another owner later.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class EndedOwners implements Migration {
  readonly name = 'EndedOwners0000000000035';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ${endAccountSessions({
        before:
          'delete from oidc_consent where principal = old.name and new.name is distinct from old.name;',
        // After the sessions: one that has ended gives no code for a grant that is stored even later.
        after: grantsWhere('principal = coalesce(old.name, new.name)'),
      })}
      comment on function end_account_sessions is
        'Ends the sessions and grants of the user of an account, also those that another handler accepted, and the consents of a name that is free.';

      create function end_client_grants() returns trigger language plpgsql as $$
      declare
        clients text[] := array[old.client_id, new.client_id];
      begin
        ${grantsWhere('client_id = any (clients)')}
        -- Nothing of a missing grant is found: its rows are left to the node that revokes it, or expire.
        delete from oidc_token where client_id = any (clients) and grant_id is null;
        delete from oidc_request where client_id = any (clients) and grant_id is null;
        delete from session_service where protocol = 'oidc' and service = any (clients);
        delete from logout_message where protocol = 'oidc' and service = any (clients);
        return null;
      end $$;
      comment on function end_client_grants is
        'Ends what clients have by a client id that loses its owner or gets one. A node that does not know yet may have stored more between.';
      create trigger registered_service_client_added after insert on registered_service for each row
        when (new.client_id is not null) execute function end_client_grants();
      create trigger registered_service_client_changed after update on registered_service for each row
        when (new.client_id is distinct from old.client_id) execute function end_client_grants();
      create trigger registered_service_client_removed after delete on registered_service for each row
        when (old.client_id is not null) execute function end_client_grants();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop trigger registered_service_client_added on registered_service;
      drop trigger registered_service_client_changed on registered_service;
      drop trigger registered_service_client_removed on registered_service;
      drop function end_client_grants;
      ${endAccountSessions({ before: '', after: '' })}
      comment on function end_account_sessions is
        'Ends the sessions of the user of an account, also those that another handler accepted.';
    `);
  }
}

/** In the order of their ids, so that two such statements do not deadlock. */
function grantsWhere(condition: string): string {
  return `delete from oidc_grant
          where id = any (array(select id from oidc_grant where ${condition} order by id for update));`;
}

function endAccountSessions(statements: {
  readonly before: string;
  readonly after: string;
}): string {
  return `
      create or replace function end_account_sessions() returns trigger language plpgsql as $$
      begin
        ${statements.before}
        delete from ticket_granting_ticket
          where principal = coalesce(old.name, new.name) and session_id is null;
        ${statements.after}
        perform pg_notify('logout_messages', '');
        return null;
      end $$;`;
}
