-- What the migrations make, for reading; written by test/schema.spec.ts, which also compares it.

create sequence audit_event_id as bigint start 1 increment 1;

create sequence schema_migration_id_seq as integer start 1 increment 1;

CREATE OR REPLACE FUNCTION public.drop_audit_partition(retention interval)
 RETURNS boolean
 LANGUAGE plpgsql
 SET lock_timeout TO '2s'
AS $function$
      declare
        partition text;
      begin
        perform pg_advisory_xact_lock(hashtext('audit partitions'));
        select c.relname into partition
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'audit_event'::regclass and c.relname ~ '^audit_event_\d{4}_\d\d$'
        order by c.relname limit 1;
        if (to_date(right(partition, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' > now() - retention
          or partition is null
        then
          return false;
        end if;
        execute format('drop table %I', partition);
        return true;
      end $function$;

CREATE OR REPLACE FUNCTION public.end_account_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        delete from oidc_consent where principal = old.name and new.name is distinct from old.name;
        delete from ticket_granting_ticket
          where principal = coalesce(old.name, new.name) and session_id is null;
        delete from oidc_grant
          where id = any (array(select id from oidc_grant where principal = coalesce(old.name, new.name) order by id for update));
        perform pg_notify('logout_messages', '');
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.end_client_grants()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        clients text[] := array[old.client_id, new.client_id];
      begin
        delete from oidc_grant
          where id = any (array(select id from oidc_grant where client_id = any (clients) order by id for update));
        -- Nothing of a missing grant is found: its rows are left to the node that revokes it, or expire.
        delete from oidc_token where client_id = any (clients) and grant_id is null;
        delete from oidc_request where client_id = any (clients) and grant_id is null;
        delete from session_service where protocol = 'oidc' and service = any (clients);
        delete from logout_message where protocol = 'oidc' and service = any (clients);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.end_session_services()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if exists (select from session_service where session_id = old.id) then
        with ended as (
          delete from session_service where session_id = old.id returning *
        )
        insert into logout_message (id, principal, service, ticket, protocol)
        select 'LR-' || replace(gen_random_uuid()::text, '-', ''), old.principal, service, ticket, protocol
        from ended cross join unnest(tickets) as ticket;
      end if;
      return old;
    end $function$;

CREATE OR REPLACE FUNCTION public.ensure_audit_partition(moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '2s'
AS $function$
      declare
        month timestamp := date_trunc('month', moment at time zone 'UTC');
        partition text := 'audit_event_' || to_char(month, 'YYYY_MM');
      begin
        if to_regclass(partition) is null then
          perform pg_advisory_xact_lock(hashtext('audit partitions'));
          execute format('create table if not exists %I partition of audit_event for values from (%L) to (%L)',
            partition, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
        end if;
      end $function$;

CREATE OR REPLACE FUNCTION public.limit_account_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        update ticket_granting_ticket set expires_at = least(expires_at, new.expires_at),
            hard_expires_at = least(hard_expires_at, new.expires_at)
          where principal = new.name and session_id is null;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.limit_session_services()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if exists (select from session_service where session_id = new.session_id offset 1000) then
          delete from session_service where session_id = new.session_id and service_hash = new.service_hash;
        end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.limit_session_to_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        found_name text;
        is_disabled boolean;
        expiry timestamptz;
        changed timestamptz;
      begin
        -- Waits for a change of the account, which ends the sessions that it sees.
        select name, disabled, expires_at, password_changed_at
          into found_name, is_disabled, expiry, changed
          from user_account where name = new.principal for share;
        if new.password_changed_at is not null and (found_name is null or is_disabled
            or changed >= new.password_changed_at + interval '1 millisecond') then
          expiry := now();
        end if;
        new.expires_at := least(new.expires_at, expiry);
        new.hard_expires_at := least(new.hard_expires_at, expiry);
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION public.mark_service_ticket_granted(session bytea, idle double precision, resolution double precision)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
      declare
        is_first boolean;
      begin
        select not service_ticket_granted into is_first from ticket_granting_ticket
          where id = session for no key update;
        if not found then
          return null;
        end if;
        update ticket_granting_ticket set service_ticket_granted = true, last_used_at = now(),
            expires_at = least(hard_expires_at, case when remembered then hard_expires_at else now() + idle * interval '1 millisecond' end)
          where id = session
            and (is_first or last_used_at <= now() - resolution * interval '1 millisecond');
        return is_first;
      end $function$;

CREATE OR REPLACE FUNCTION public.registered_service_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        update registered_service_version set version = version + 1;
        notify registered_service;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.signing_key_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        notify signing_key;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.touch_session(session bytea, idle double precision, resolution double precision)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
      begin
        perform from ticket_granting_ticket
          where id = session and last_used_at <= now() - resolution * interval '1 millisecond'
          for no key update skip locked;
        if found then
          update ticket_granting_ticket set last_used_at = now(),
              expires_at = least(hard_expires_at, case when remembered then hard_expires_at else now() + idle * interval '1 millisecond' end)
            where id = session;
        end if;
      end $function$;

create table audit_event (
  id bigint not null default nextval('audit_event_id'::regclass),
  occurred_at timestamp(3) with time zone not null default now(),
  action text not null,
  outcome text not null default 'success'::text,
  reason text,
  principal text,
  subject text,
  service text,
  session text,
  client_address text,
  request_id text,
  application text not null,
  node text not null,
  details jsonb,
  constraint audit_event_pkey PRIMARY KEY (occurred_at, id),
  constraint audit_event_session_is_masked CHECK ((length(session) <= 16))
) partition by RANGE (occurred_at);
CREATE INDEX audit_event_principal ON ONLY public.audit_event USING btree (principal, occurred_at, id) WHERE (principal IS NOT NULL);
CREATE INDEX audit_event_subject ON ONLY public.audit_event USING btree (subject, occurred_at, id) WHERE (subject IS NOT NULL);
comment on table audit_event is 'What users, applications and operators did, with the outcome. Rows are added, never changed; partitions are removed. There is one partition for each month, in UTC.';
comment on column audit_event.id is 'Tells events of the same time apart. Writers of batches give ids of their own, so that a batch that is written again is stored once.';
comment on column audit_event.outcome is 'success, failure or unknown. The default, as that of occurred_at, is for nodes of an earlier version.';
comment on column audit_event.subject is 'The id or name of what was changed.';

create unlogged table authentication_failure (
  key bytea not null,
  failures integer not null,
  expires_at timestamp with time zone not null,
  reserved integer not null default 0,
  opened_at timestamp with time zone not null default now(),
  constraint authentication_failure_pkey PRIMARY KEY (key)
);
CREATE INDEX authentication_failure_expires_at ON public.authentication_failure USING btree (expires_at) WHERE (expires_at < 'infinity'::timestamp with time zone);
comment on table authentication_failure is 'Failed logins of the present window; key is the SHA-256 of a client address, or of address and user name. Emptied by a crash.';
comment on column authentication_failure.reserved is 'Logins whose credentials are being checked. Each may become a failure.';
comment on column authentication_failure.opened_at is 'When the window began. Tells a window from the one before.';

create table client_secret (
  id bigint not null generated always as identity,
  service_id bigint not null,
  hash text not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone,
  constraint client_secret_pkey PRIMARY KEY (id),
  constraint client_secret_service_id_fkey FOREIGN KEY (service_id) REFERENCES registered_service(id) ON DELETE CASCADE
);
CREATE INDEX client_secret_service ON public.client_secret USING btree (service_id);
comment on table client_secret is 'Hashes of the secrets of clients. Several are valid while one takes the place of another.';

create table login_key (
  only_row boolean not null default true,
  key bytea not null,
  constraint login_key_pkey PRIMARY KEY (only_row),
  constraint login_key_key_check CHECK ((octet_length(key) = 32)),
  constraint login_key_only_row_check CHECK (only_row)
);
comment on table login_key is 'The key that encrypts session cookies and login forms; the first node to start creates it.';

create table logout_message (
  id text not null,
  principal text not null,
  service text not null,
  ticket text not null,
  ended_at timestamp(3) with time zone not null default now(),
  url_index integer,
  host_group text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone default now(),
  taken boolean not null default false,
  failed_at timestamp(3) with time zone,
  last_error text,
  protocol text not null default 'cas'::text,
  constraint logout_message_pkey PRIMARY KEY (id),
  constraint logout_message_waits_or_has_failed CHECK (((next_attempt_at IS NULL) = (failed_at IS NOT NULL)))
);
CREATE INDEX logout_message_due ON public.logout_message USING btree (host_group, ((attempts > 0)), next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX logout_message_ended_at ON public.logout_message USING btree (ended_at, id);
CREATE INDEX logout_message_new ON public.logout_message USING btree (ended_at) WHERE ((host_group IS NULL) AND (failed_at IS NULL));
CREATE INDEX logout_message_taken ON public.logout_message USING btree (host_group) WHERE taken;
comment on table logout_message is 'Messages to the services of sessions that have ended. A row is deleted when its message is sent. Failed ones stay for 30 days.';
comment on column logout_message.url_index is 'The position of its URL among the logout URLs of the service. Null until a node has replaced the message by one for each URL.';
comment on column logout_message.host_group is 'The registration and the host of the URL, which share a limit of calls; null with url_index.';
comment on column logout_message.next_attempt_at is 'While it is taken: when another node may take it, because the node that sends it has crashed.';
comment on column logout_message.protocol is 'cas or oidc.';

create table oidc_consent (
  principal text not null,
  service_id bigint not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  changed_at timestamp with time zone not null default now(),
  constraint oidc_consent_pkey PRIMARY KEY (principal, service_id),
  constraint oidc_consent_service_id_fkey FOREIGN KEY (service_id) REFERENCES registered_service(id) ON DELETE CASCADE
);
CREATE INDEX oidc_consent_service ON public.oidc_consent USING btree (service_id);
comment on table oidc_consent is 'The scopes that a user has allowed to a client of OpenID Connect.';

create table oidc_grant (
  id text not null,
  session_id bytea not null,
  sid text not null,
  client_id text not null,
  principal text not null,
  scopes text[] not null,
  authentication jsonb not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint oidc_grant_pkey PRIMARY KEY (id),
  constraint oidc_grant_of_session UNIQUE (session_id, client_id)
);
CREATE INDEX oidc_grant_expires_at ON public.oidc_grant USING btree (expires_at);
CREATE INDEX oidc_grant_principal ON public.oidc_grant USING btree (principal);
comment on table oidc_grant is 'What a session has granted to an OpenID Connect client: one row for each of both.';
comment on column oidc_grant.sid is 'The session as the client knows it.';
comment on column oidc_grant.authentication is 'Of the login: handler and attributes, for tokens that outlive the session.';

create unlogged table oidc_request (
  id bytea not null,
  model text not null,
  grant_id text,
  client_id text,
  user_code bytea,
  payload jsonb not null,
  expires_at timestamp with time zone not null,
  consumed_at timestamp with time zone,
  constraint oidc_request_pkey PRIMARY KEY (id, model)
);
CREATE INDEX oidc_request_expires_at ON public.oidc_request USING btree (expires_at);
CREATE INDEX oidc_request_grant ON public.oidc_request USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE UNIQUE INDEX oidc_request_user_code ON public.oidc_request USING btree (user_code) WHERE (user_code IS NOT NULL);
comment on table oidc_request is 'Codes, pushed requests and interactions, by the SHA-256 of their texts. A crash empties it.';

create table oidc_token (
  id bytea not null,
  model text not null,
  grant_id text,
  client_id text,
  user_code bytea,
  payload jsonb not null,
  expires_at timestamp with time zone not null,
  consumed_at timestamp with time zone,
  constraint oidc_token_pkey PRIMARY KEY (id, model)
);
CREATE INDEX oidc_token_expires_at ON public.oidc_token USING btree (expires_at);
CREATE INDEX oidc_token_grant ON public.oidc_token USING btree (grant_id) WHERE (grant_id IS NOT NULL);
comment on table oidc_token is 'Access and refresh tokens, by the SHA-256 of their texts.';

create table password_history (
  account text not null,
  password_hash text not null,
  replaced_at timestamp with time zone not null default clock_timestamp(),
  constraint password_history_account_fkey FOREIGN KEY (account) REFERENCES user_account(name) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX password_history_account ON public.password_history USING btree (account, replaced_at);
comment on table password_history is 'Hashes of passwords that users have replaced, as many as a setting asks for.';

create table properties (
  application text collate "C" not null,
  profile text collate "C" not null default ''::text,
  label text collate "C" not null default 'main'::text,
  key text collate "C" not null,
  value text not null,
  constraint properties_pkey PRIMARY KEY (application, profile, label, key),
  constraint properties_application_is_not_empty CHECK ((application <> ''::text)),
  constraint properties_key_is_not_empty CHECK ((key <> ''::text)),
  constraint properties_label_is_not_empty CHECK ((label <> ''::text))
);
comment on table properties is 'What the config server serves from its backend postgres. Application "application" is for all of them, profile "" for every profile.';

create table registered_service (
  id bigint not null generated always as identity,
  import_id bigint,
  service_id text not null,
  name text not null,
  description text not null default ''::text,
  evaluation_order integer not null default 2147483647,
  enabled boolean not null default true,
  sso_enabled boolean not null default true,
  required_attributes jsonb not null default '{}'::jsonb,
  attribute_release jsonb not null default '{"kind": "none"}'::jsonb,
  username_attribute jsonb not null default '{"kind": "principal"}'::jsonb,
  proxy_policy jsonb not null default '{"kind": "refuse"}'::jsonb,
  logout_type text not null default 'none'::text,
  logout_url text,
  properties jsonb not null default '{}'::jsonb,
  pseudonym_salt text not null default replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text),
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  registered_over_rest boolean not null default false,
  require_all_attributes boolean not null default true,
  rejected_attributes jsonb not null default '{}'::jsonb,
  expires_at timestamp(3) with time zone,
  released_values jsonb not null default '{}'::jsonb,
  protocol_attributes boolean not null default true,
  service_ticket_lifetime integer,
  proxy_ticket_lifetime integer,
  default_attributes boolean not null default true,
  unauthorized_redirect_url text,
  response_type text not null default 'redirect'::text,
  client_id text,
  client jsonb,
  constraint registered_service_pkey PRIMARY KEY (id),
  constraint registered_service_has_a_part CHECK (((service_id <> ''::text) OR (client_id IS NOT NULL))) NOT VALID,
  constraint registered_service_import_id UNIQUE (import_id),
  constraint registered_service_pseudonym_salt_is_long CHECK ((length(pseudonym_salt) >= 32))
);
CREATE UNIQUE INDEX registered_service_client_id ON public.registered_service USING btree (client_id);
CREATE TRIGGER registered_service_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.registered_service FOR EACH STATEMENT EXECUTE FUNCTION registered_service_changed();
CREATE TRIGGER registered_service_client_added AFTER INSERT ON public.registered_service FOR EACH ROW WHEN ((new.client_id IS NOT NULL)) EXECUTE FUNCTION end_client_grants();
CREATE TRIGGER registered_service_client_changed AFTER UPDATE ON public.registered_service FOR EACH ROW WHEN ((new.client_id IS DISTINCT FROM old.client_id)) EXECUTE FUNCTION end_client_grants();
CREATE TRIGGER registered_service_client_removed AFTER DELETE ON public.registered_service FOR EACH ROW WHEN ((old.client_id IS NOT NULL)) EXECUTE FUNCTION end_client_grants();
comment on table registered_service is 'The services that may use single sign-on. Every change, by hand too, reaches all nodes.';
comment on column registered_service.service_id is 'A pattern of URLs; empty for a client that takes no part in CAS.';
comment on column registered_service.required_attributes is 'A map of exact values by attribute name, or a list with one map of patterns.';
comment on column registered_service.registered_over_rest is 'Whether a user registered it over REST, and no operator has changed it since.';
comment on column registered_service.require_all_attributes is 'False: one of the required attributes is enough.';
comment on column registered_service.rejected_attributes is 'Patterns by attribute name: a user with a value that matches is refused.';
comment on column registered_service.expires_at is 'The time from which the service counts as disabled.';
comment on column registered_service.released_values is 'Patterns by attribute name, or *: other values are not released.';
comment on column registered_service.protocol_attributes is 'Whether attributes of the protocol, such as authenticationDate, are released.';
comment on column registered_service.service_ticket_lifetime is 'The most seconds that its service tickets live.';
comment on column registered_service.proxy_ticket_lifetime is 'The most seconds that proxy tickets for it live.';
comment on column registered_service.default_attributes is 'Whether it gets the attributes that a setting releases to every service.';
comment on column registered_service.unauthorized_redirect_url is 'Where browsers of refused users are sent, in place of a page.';
comment on column registered_service.response_type is 'How the browser brings the ticket: redirect or post.';
comment on column registered_service.client_id is 'The id of a client of OpenID Connect.';
comment on column registered_service.client is 'The fields that only such a client has.';

create table registered_service_version (
  only_row boolean not null default true,
  version bigint not null,
  constraint registered_service_version_pkey PRIMARY KEY (only_row),
  constraint registered_service_version_only_row_check CHECK (only_row)
);
comment on table registered_service_version is 'Counts the changes of registered_service, for nodes that missed a notification.';

create unlogged table request_rate (
  key bytea not null,
  requests integer not null,
  expires_at timestamp with time zone not null,
  constraint request_rate_pkey PRIMARY KEY (key)
);
CREATE INDEX request_rate_expires_at ON public.request_rate USING btree (expires_at) WHERE (expires_at < 'infinity'::timestamp with time zone);
comment on table request_rate is 'Requests in the current window; key is the SHA-256 of a route and a client address. Emptied by a crash.';

create table schema_migration (
  id integer not null default nextval('schema_migration_id_seq'::regclass),
  "timestamp" bigint not null,
  name character varying not null,
  compatible_from integer,
  version text,
  constraint "PK_0edff5015b71cc0389ae0f4b9a1" PRIMARY KEY (id)
);
comment on column schema_migration.compatible_from is 'The oldest program that works on the schema after this migration: the number of the newest migration that it has. Null before 0024: this migration.';
comment on column schema_migration.version is 'Version of the program that ran this migration.';

create unlogged table service_ticket_0 (
  id bytea not null,
  session_id bytea not null,
  proxy_granting_ticket_id bytea,
  service text not null,
  from_new_login boolean not null,
  expires_at timestamp with time zone not null,
  constraint service_ticket_0_pkey PRIMARY KEY (id)
) with (autovacuum_enabled=false, toast.autovacuum_enabled=false);
comment on table service_ticket_0 is 'STs and PTs of one period; emptied whole when the ring comes round, and by a crash.';

create unlogged table service_ticket_1 (
  id bytea not null,
  session_id bytea not null,
  proxy_granting_ticket_id bytea,
  service text not null,
  from_new_login boolean not null,
  expires_at timestamp with time zone not null,
  constraint service_ticket_1_pkey PRIMARY KEY (id)
) with (autovacuum_enabled=false, toast.autovacuum_enabled=false);
comment on table service_ticket_1 is 'STs and PTs of one period; emptied whole when the ring comes round, and by a crash.';

create unlogged table service_ticket_2 (
  id bytea not null,
  session_id bytea not null,
  proxy_granting_ticket_id bytea,
  service text not null,
  from_new_login boolean not null,
  expires_at timestamp with time zone not null,
  constraint service_ticket_2_pkey PRIMARY KEY (id)
) with (autovacuum_enabled=false, toast.autovacuum_enabled=false);
comment on table service_ticket_2 is 'STs and PTs of one period; emptied whole when the ring comes round, and by a crash.';

create unlogged table service_ticket_3 (
  id bytea not null,
  session_id bytea not null,
  proxy_granting_ticket_id bytea,
  service text not null,
  from_new_login boolean not null,
  expires_at timestamp with time zone not null,
  constraint service_ticket_3_pkey PRIMARY KEY (id)
) with (autovacuum_enabled=false, toast.autovacuum_enabled=false);
comment on table service_ticket_3 is 'STs and PTs of one period; emptied whole when the ring comes round, and by a crash.';

create table service_ticket_ring (
  only_row boolean not null default true,
  slot smallint not null,
  rotated_at timestamp with time zone not null,
  constraint service_ticket_ring_pkey PRIMARY KEY (only_row),
  constraint service_ticket_ring_only_row_check CHECK (only_row),
  constraint service_ticket_ring_slot_check CHECK (((slot >= 0) AND (slot <= 3)))
);
comment on table service_ticket_ring is 'Which service_ticket table takes new tickets now.';

create table session_service (
  session_id bytea not null,
  service_hash bytea not null,
  service text not null,
  tickets text[] not null,
  protocol text not null default 'cas'::text,
  constraint session_service_pkey PRIMARY KEY (session_id, service_hash)
) with (fillfactor=70);
CREATE TRIGGER session_service_limit AFTER INSERT ON public.session_service FOR EACH ROW EXECUTE FUNCTION limit_session_services();
comment on table session_service is 'The services that a session signed in to, for single logout. A trigger deletes the rows with the session: a foreign key would cost each session a check.';
comment on column session_service.service_hash is 'Of CAS: SHA-256 of the URL. Of another protocol: SHA-256 of its name, a zero byte and the client id.';
comment on column session_service.service is 'By which the registration is found: of CAS the URL, of oidc the client id.';
comment on column session_service.tickets is 'By which the application finds its own session, the oldest first: of CAS the last tickets, consumed and worth nothing any more.';
comment on column session_service.protocol is 'cas or oidc.';

create table signing_key (
  kid text not null,
  algorithm text not null,
  public_jwk jsonb not null,
  sealed_private text not null,
  created_at timestamp with time zone not null default now(),
  usable_from timestamp with time zone,
  constraint signing_key_pkey PRIMARY KEY (kid),
  constraint signing_key_algorithm_is_known CHECK ((algorithm = ANY (ARRAY['RS256'::text, 'ES256'::text])))
);
CREATE TRIGGER signing_key_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.signing_key FOR EACH STATEMENT EXECUTE FUNCTION signing_key_changed();
comment on table signing_key is 'Keys that sign tokens. Every change, by hand too, reaches all nodes.';
comment on column signing_key.sealed_private is 'The private JWK, sealed with a key of sso.oidc.sealing-keys.';
comment on column signing_key.usable_from is 'The newest usable key of an algorithm signs. Null: the key is published and never signs.';

create table ticket_granting_ticket (
  id bytea not null,
  parent_id bytea,
  session_id bytea,
  proxies text[],
  principal text,
  attributes json,
  handler text,
  credential_type text,
  authenticated_at timestamp(3) with time zone,
  service_ticket_granted boolean not null default false,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  hard_expires_at timestamp with time zone not null,
  remembered boolean not null default false,
  service text,
  password_changed_at timestamp with time zone,
  console_token_hash bytea,
  callback_url text,
  methods jsonb,
  constraint ticket_granting_ticket_pkey PRIMARY KEY (id),
  constraint ticket_granting_ticket_is_session_or_proxy CHECK (
CASE
    WHEN (session_id IS NULL) THEN ((parent_id IS NULL) AND (proxies IS NULL) AND (callback_url IS NULL) AND (principal IS NOT NULL) AND (attributes IS NOT NULL) AND (handler IS NOT NULL) AND (credential_type IS NOT NULL) AND (authenticated_at IS NOT NULL))
    ELSE ((parent_id IS NOT NULL) AND (COALESCE(callback_url, proxies[1]) IS NOT NULL) AND (principal IS NULL))
END),
  constraint ticket_granting_ticket_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES ticket_granting_ticket(id) ON DELETE CASCADE,
  constraint ticket_granting_ticket_session_id_fkey FOREIGN KEY (session_id) REFERENCES ticket_granting_ticket(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE UNIQUE INDEX ticket_granting_ticket_console_token_hash ON public.ticket_granting_ticket USING btree (console_token_hash) WHERE (console_token_hash IS NOT NULL);
CREATE INDEX ticket_granting_ticket_expires_at ON public.ticket_granting_ticket USING btree (expires_at) WHERE (expires_at < 'infinity'::timestamp with time zone);
CREATE INDEX ticket_granting_ticket_parent_id ON public.ticket_granting_ticket USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX ticket_granting_ticket_principal ON public.ticket_granting_ticket USING btree (principal) WHERE (principal IS NOT NULL);
CREATE INDEX ticket_granting_ticket_session_id ON public.ticket_granting_ticket USING btree (session_id) WHERE (session_id IS NOT NULL);
CREATE TRIGGER ticket_granting_ticket_account BEFORE INSERT ON public.ticket_granting_ticket FOR EACH ROW WHEN ((new.session_id IS NULL)) EXECUTE FUNCTION limit_session_to_account();
CREATE TRIGGER ticket_granting_ticket_services BEFORE DELETE ON public.ticket_granting_ticket FOR EACH ROW WHEN ((old.session_id IS NULL)) EXECUTE FUNCTION end_session_services();
comment on table ticket_granting_ticket is 'TGTs (sessions) and PGTs; id is the SHA-256 of the ticket. A PGT lives as long as its session.';
comment on column ticket_granting_ticket.proxies is 'For nodes of an earlier version: the chain of a PGT, newest first. Null beyond the first proxy, so that they refuse the chain.';
comment on column ticket_granting_ticket.remembered is 'Whether the session ends only at its hard limit, however long it is unused (remember-me).';
comment on column ticket_granting_ticket.service is 'For a PGT: the service whose validated ticket it was created from. Older PGTs have none, and grant nothing.';
comment on column ticket_granting_ticket.password_changed_at is 'For a login with the password of an account: when that password was set, to the millisecond.';
comment on column ticket_granting_ticket.console_token_hash is 'SHA-256 of the token with which a browser uses the console in this session.';
comment on column ticket_granting_ticket.callback_url is 'For a PGT: the callback URL of its proxy. The chain is that of the parents. Older PGTs have it first in proxies.';
comment on column ticket_granting_ticket.methods is 'How the user proved who he is at the last login, in this order: [{"method": "password", "at": time}]. Null where an older program stored the session.';

create table used_login_form (
  id text not null,
  expires_at timestamp with time zone not null,
  constraint used_login_form_pkey PRIMARY KEY (id)
);
CREATE INDEX used_login_form_expires_at ON public.used_login_form USING btree (expires_at) WHERE (expires_at < 'infinity'::timestamp with time zone);
comment on table used_login_form is 'Login forms that were used to log in and have not expired; each is accepted once.';

create table user_account (
  name text collate "C" not null,
  password_hash text not null,
  attributes jsonb not null default '{}'::jsonb,
  disabled boolean not null default false,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  password_changed_at timestamp(3) with time zone not null default now(),
  constraint user_account_pkey PRIMARY KEY (name),
  constraint user_account_attributes_are_lists_of_texts CHECK (((jsonb_typeof(attributes) = 'object'::text) AND (NOT jsonb_path_exists(attributes, 'strict $.*?(@.type() != "array")'::jsonpath)) AND (NOT jsonb_path_exists(attributes, '$.*[*]?(@.type() != "string")'::jsonpath)))),
  constraint user_account_name_has_1_to_255_characters CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255)))
);
CREATE TRIGGER user_account_added AFTER INSERT ON public.user_account FOR EACH ROW WHEN ((new.disabled OR (new.expires_at <= now()))) EXECUTE FUNCTION end_account_sessions();
CREATE TRIGGER user_account_changed AFTER UPDATE ON public.user_account FOR EACH ROW WHEN (((new.name <> old.name) OR (new.disabled AND (NOT old.disabled)) OR ((new.expires_at <= now()) AND (new.expires_at IS DISTINCT FROM old.expires_at)) OR (new.password_changed_at <> old.password_changed_at))) EXECUTE FUNCTION end_account_sessions();
CREATE TRIGGER user_account_expiry_added AFTER INSERT ON public.user_account FOR EACH ROW WHEN ((new.expires_at > now())) EXECUTE FUNCTION limit_account_sessions();
CREATE TRIGGER user_account_expiry_changed AFTER UPDATE ON public.user_account FOR EACH ROW WHEN (((new.expires_at > now()) AND (new.expires_at IS DISTINCT FROM old.expires_at))) EXECUTE FUNCTION limit_account_sessions();
CREATE TRIGGER user_account_removed AFTER DELETE ON public.user_account FOR EACH ROW EXECUTE FUNCTION end_account_sessions();
comment on table user_account is 'Users with a password kept here (an argon2id hash); attributes: name to list of texts.';
