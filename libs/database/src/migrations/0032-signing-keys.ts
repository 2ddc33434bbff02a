// The keys that sign tokens of OpenID Connect. The private part is sealed with a key that is not in this database.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

export class SigningKeys implements Migration {
  readonly name = 'SigningKeys0000000000032';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table signing_key (
        kid text primary key,
        algorithm text not null,
        public_jwk jsonb not null,
        sealed_private text not null,
        created_at timestamptz not null default now(),
        usable_from timestamptz,
        constraint signing_key_algorithm_is_known check (algorithm in ('RS256', 'ES256'))
      );
      comment on table signing_key is
        'Keys that sign tokens. Every change, by hand too, reaches all nodes.';
      comment on column signing_key.sealed_private is
        'The private JWK, sealed with a key of sso.oidc.sealing-keys.';
      comment on column signing_key.usable_from is
        'The newest usable key of an algorithm signs. Null: the key is published and never signs.';
      create function signing_key_changed() returns trigger language plpgsql as $$
      begin
        notify signing_key;
        return null;
      end $$;
      create trigger signing_key_changed
        after insert or update or delete or truncate on signing_key
        for each statement execute function signing_key_changed();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table signing_key; drop function signing_key_changed()');
  }
}
