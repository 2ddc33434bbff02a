// SQL of the table oidc_grant that is more than a line.

/** The columns of a `StoredGrant`. */
export const GRANT = `id, sid, client_id as "clientId", principal, scopes, encode(session_id, 'hex') as session,
  extract(epoch from expires_at)::float8 as "expiresAt"`;

/**
 * One of any number of callers creates it; scopes are added to those that are there. Attributes of the login are stored where
 * a token may outlive the session. The lock makes a withdrawal of the consent wait, which then ends this grant too.
 */
export const OPEN_GRANT = `
  with consent as materialized (
    select from oidc_consent where principal = $5 and service_id = $9 and scopes @> $6::text[] for share)
  insert into oidc_grant as known (id, sid, session_id, client_id, principal, scopes, authentication, expires_at)
  select $1, $2, $3::bytea, $4, $5, $6::text[], login.now, now() + $8::float8 * interval '1 second'
  from (select case when 'offline_access' = any($6::text[]) then $7::jsonb else $7::jsonb || '{"attributes": {}}' end) as login (now)
  where $9::bigint is null or exists (select from consent)
  on conflict (session_id, client_id) do update set
    scopes = array(select distinct scope from unnest(known.scopes || excluded.scopes) as scope),
    authentication =
      case when 'offline_access' = any(known.scopes) then $7::jsonb else excluded.authentication end,
    expires_at = greatest(known.expires_at, excluded.expires_at)
  returning ${GRANT}`;
