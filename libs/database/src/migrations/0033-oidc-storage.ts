// What OpenID Connect clients have got: grants, tokens, and requests that end within minutes.
import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Also the columns of the unlogged table: a crash empties it, so nothing redeemed comes back. */
const COLUMNS = `
  id bytea not null,
  model text not null,
  grant_id text,
  client_id text,
  user_code bytea,
  payload jsonb not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (id, model)`;

export class OidcStorage implements Migration {
  readonly name = 'OidcStorage0000000000033';
  readonly compatibleFrom = 24;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table oidc_grant (
        id text primary key,
        session_id bytea not null,
        sid text not null,
        client_id text not null,
        principal text not null,
        scopes text[] not null,
        authentication jsonb not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        constraint oidc_grant_of_session unique (session_id, client_id)
      );
      create index oidc_grant_principal on oidc_grant (principal);
      create index oidc_grant_expires_at on oidc_grant (expires_at);
      comment on table oidc_grant is 'What a session has granted to an OpenID Connect client: one row for each of both.';
      comment on column oidc_grant.sid is 'The session as the client knows it.';
      comment on column oidc_grant.authentication is
        'Of the login: handler and attributes, for tokens that outlive the session.';

      create table oidc_token (${COLUMNS});
      create index oidc_token_grant on oidc_token (grant_id) where grant_id is not null;
      create index oidc_token_expires_at on oidc_token (expires_at);
      comment on table oidc_token is 'Access and refresh tokens, by the SHA-256 of their texts.';

      create unlogged table oidc_request (${COLUMNS});
      create unique index oidc_request_user_code on oidc_request (user_code) where user_code is not null;
      create index oidc_request_grant on oidc_request (grant_id) where grant_id is not null;
      create index oidc_request_expires_at on oidc_request (expires_at);
      comment on table oidc_request is
        'Codes, pushed requests and interactions, by the SHA-256 of their texts. A crash empties it.';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table oidc_grant, oidc_token, oidc_request');
  }
}
