// The table of accounts: users with a password in the database.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UserAccounts implements MigrationInterface {
  readonly name = 'UserAccounts0000000000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Names compare and sort by code point, whatever the locale of the server.
    await queryRunner.query(`
      create table user_account (
        name text collate "C" primary key,
        password_hash text not null,
        attributes jsonb not null default '{}',
        disabled boolean not null default false,
        expires_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        password_changed_at timestamptz(3) not null default now(),
        constraint user_account_name_has_1_to_255_characters
          check (char_length(name) between 1 and 255),
        constraint user_account_attributes_are_lists_of_texts check (
          jsonb_typeof(attributes) = 'object'
          and not jsonb_path_exists(attributes, 'strict $.* ? (@.type() != "array")')
          and not jsonb_path_exists(attributes, '$.*[*] ? (@.type() != "string")'))
      );
      comment on table user_account is
        'Users with a password kept here (an argon2id hash); attributes: name to list of texts.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table user_account');
  }
}
