// A session records at most 1,000 services, so that it can be ended within the time limit of a statement.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SessionServiceLimit implements MigrationInterface {
  readonly name = 'SessionServiceLimit0000000000014';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create function limit_session_services() returns trigger language plpgsql as $$
      begin
        if exists (select from session_service where session_id = new.session_id offset 1000) then
          delete from session_service where session_id = new.session_id and service_hash = new.service_hash;
        end if;
        return null;
      end $$;
      comment on function limit_session_services is
        'Keeps the first 1,000 services of a session. A condition of the inserting statement would count them for known services, too.';
      create trigger session_service_limit after insert on session_service
        for each row execute function limit_session_services();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop trigger session_service_limit on session_service;
      drop function limit_session_services;
    `);
  }
}
