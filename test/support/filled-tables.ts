// Rows for every table, so that specs run migrations on a filled database.

/** SQL by the number of a migration: rows of the tables that exist after it. Never changes once the migration is released. */
export const FILL_AFTER: Readonly<Record<number, string>> = {
  24: `
    insert into ticket_granting_ticket (id, principal, attributes, handler, credential_type, authenticated_at, expires_at,
        hard_expires_at)
      select sha256(n::text::bytea), 'user' || n, '{}', 'accounts', 'password', now(), now() + interval '1 hour',
        now() + interval '8 hours'
      from generate_series(1, 50) as n;
    insert into service_ticket_0 values (sha256('0'), sha256('1'), null, 'https://app.example.org/', true, now());
    insert into service_ticket_1 select * from service_ticket_0;
    insert into service_ticket_2 select * from service_ticket_0;
    insert into service_ticket_3 select * from service_ticket_0;
    insert into session_service (session_id, service_hash, service, tickets)
      values (sha256('1'), sha256('https://app.example.org/'), 'https://app.example.org/', '{ST-1}');
    insert into logout_message (id, principal, service, ticket) values ('LR-1', 'user1', 'https://app.example.org/', 'ST-1');
    insert into registered_service (service_id, name) values ('^https://app\\.example\\.org/', 'app');
    insert into user_account (name, password_hash) values ('user1', '$argon2id$');
    insert into authentication_failure (key, failures, expires_at) values (sha256('1'), 1, now());
    insert into request_rate (key, requests, expires_at) values (sha256('1'), 1, now());
    insert into login_key (key) values (sha256('1'));
    insert into used_login_form (id, expires_at) values ('1', now());
    insert into properties (application, key, value) values ('app', 'a.key', 'value');
    select ensure_audit_partition(now());
    insert into audit_event (action, application, node) values ('LOGIN', 'sso', 'node');`,
  27: `insert into password_history (account, password_hash) values ('user1', '$argon2id$');`,
  31: `
    update registered_service set client_id = 'app', client = '{}';
    insert into client_secret (service_id, hash) select id, 'sha256:00' from registered_service;`,
  32: `insert into signing_key (kid, algorithm, public_jwk, sealed_private, usable_from)
    values ('1', 'ES256', '{}', 'v1.1.', now());`,
  33: `
    insert into oidc_grant (id, session_id, sid, client_id, principal, scopes, authentication, expires_at)
      values ('grant', sha256('1'), 'sid', 'client', 'user1', '{openid}', '{}', now() + interval '1 hour');
    insert into oidc_token (id, model, grant_id, client_id, payload, expires_at)
      values (sha256('1'), 'AccessToken', 'grant', 'client', '{}', now() + interval '1 hour');
    insert into oidc_request (id, model, payload, expires_at, user_code)
      values (sha256('1'), 'DeviceCode', '{}', now() + interval '1 hour', sha256('1'));`,
  34: `insert into oidc_consent (principal, service_id, scopes) select 'user1', id, '{openid}' from registered_service;`,
};
