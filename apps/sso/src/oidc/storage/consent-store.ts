// The table oidc_consent: the scopes that users have allowed to clients.
import type { DataSource } from 'typeorm';
import { type DurableStatements, durableTransaction, poolOf } from '@tessera/database';

export interface StoredConsent {
  /** The id of the registered service. */
  readonly serviceId: string;
  readonly name: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** When the user has allowed something the last time. */
  readonly changedAt: Date;
}

/** Scopes are added to those that are there. */
const ADD = `
  insert into oidc_consent as known (principal, service_id, scopes)
  select $1, id, $3::text[] from registered_service where id = $2
  on conflict (principal, service_id) do update set
    scopes = array(select distinct scope from unnest(known.scopes || excluded.scopes) as scope),
    changed_at = now()`;

const ALL = `
  select s.id as "serviceId", s.name, s.client_id as "clientId", scopes, changed_at as "changedAt"
  from oidc_consent c join registered_service s on s.id = c.service_id
  where principal = $1 and s.client_id is not null order by s.name, s.id`;

/** Of all sessions. */
const REMOVE_GRANTS = `
  delete from oidc_grant using registered_service s
  where s.id = $2 and oidc_grant.client_id = s.client_id and principal = $1`;

export class ConsentStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly durable: Pick<DurableStatements, 'query'>,
  ) {}

  async scopesOf(principal: string, serviceId: string): Promise<readonly string[]> {
    const { rows } = await poolOf(this.dataSource).query<{ readonly scopes: readonly string[] }>(
      'select scopes from oidc_consent where principal = $1 and service_id = $2',
      [principal, serviceId],
    );
    return rows[0]?.scopes ?? [];
  }

  async add(principal: string, serviceId: string, scopes: readonly string[]): Promise<void> {
    await this.durable.query(ADD, [principal, serviceId, scopes]);
  }

  /** By name. */
  async of(principal: string): Promise<readonly StoredConsent[]> {
    return (await poolOf(this.dataSource).query<StoredConsent>(ALL, [principal])).rows;
  }

  /** Removes the consent, then the grants: a request that still sees the consent holds it until its grant is there. */
  async remove(principal: string, serviceId: string): Promise<void> {
    await durableTransaction(this.dataSource.manager, async (transaction) => {
      await transaction.query('delete from oidc_consent where principal = $1 and service_id = $2', [
        principal,
        serviceId,
      ]);
      await transaction.query(REMOVE_GRANTS, [principal, serviceId]);
    });
  }
}
