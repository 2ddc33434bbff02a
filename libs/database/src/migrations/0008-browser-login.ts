// What browser logins share between nodes: the key of cookies and forms, and the forms that were used.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BrowserLogin implements MigrationInterface {
  readonly name = 'BrowserLogin0000000000008';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table login_key (
        only_row boolean primary key default true check (only_row),
        key bytea not null check (octet_length(key) = 32)
      );
      comment on table login_key is
        'The key that encrypts session cookies and login forms; the first node to start creates it.';
      create table used_login_form (
        id text primary key,
        expires_at timestamptz not null
      );
      create index used_login_form_expires_at on used_login_form (expires_at)
        where expires_at < 'infinity';
      comment on table used_login_form is
        'Login forms that were used to log in and have not expired; each is accepted once.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table used_login_form, login_key');
  }
}
