// The longer SQL statements for the table oidc_grant.

/** The columns of a `StoredGrant`. */
export const GRANT = `id, sid, client_id as "clientId", principal, scopes, encode(session_id, 'hex') as session,
  extract(epoch from expires_at)::float8 as "expiresAt"`;

/** A grant ends this much later than its tokens, so that not every authorization writes it. */
const SPARE = `interval '1 hour'`;

/**
 * One of any number of callers creates it; scopes are added to those that are there. Attributes of the login are stored where
 * a token may outlive the session. The lock makes a withdrawal of the consent wait, which then ends this grant too. A grant
 * that has all of this is not written: a withdrawal that is under way finds and ends it anyway.
 */
export const OPEN_GRANT = `
  with found as (
    select ${GRANT} from oidc_grant
    where session_id = $3::bytea and client_id = $4 and scopes @> $6::text[]
      and authentication = ${loginFor('scopes')}
      and expires_at > now() + $8::float8 * interval '1 second'
      and ($9::bigint is null or exists (
        select from oidc_consent c where c.principal = $5 and c.service_id = $9 and c.scopes @> $6::text[]))
  ), consent as materialized (
    select from oidc_consent where principal = $5 and service_id = $9 and scopes @> $6::text[] for share
  ), opened as (
    insert into oidc_grant as known (id, sid, session_id, client_id, principal, scopes, authentication, expires_at)
    select $1, $2, $3::bytea, $4, $5, $6::text[], ${loginFor('$6::text[]')}, now() + $8::float8 * interval '1 second' + ${SPARE}
    where not exists (select from found) and ($9::bigint is null or exists (select from consent))
    on conflict (session_id, client_id) do update set
      scopes = array(select distinct scope from unnest(known.scopes || excluded.scopes) as scope),
      authentication =
        case when 'offline_access' = any(known.scopes) then $7::jsonb else excluded.authentication end,
      expires_at = greatest(known.expires_at, excluded.expires_at)
    returning ${GRANT}
  )
  select * from found union all select * from opened`;

/** Precedes the insertion of a refresh token, so that the grant does not end before the token. */
export const EXTEND_GRANT = `
  with extended as (
    update oidc_grant set expires_at = now() + $7::float8 * interval '1 second' + ${SPARE}
    where id = $4 and expires_at > now() and expires_at < now() + $7::float8 * interval '1 second'
  ) `;

function loginFor(scopes: string): string {
  return `case when 'offline_access' = any(${scopes}) then $7::jsonb else $7::jsonb || '{"attributes": {}}' end`;
}
