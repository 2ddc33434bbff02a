// Registering services over REST, as the tests of it do.
import { http, type Call, type Reply } from './http.js';
import type { Sso } from './sso.js';

/** `casuser` has the role of profile dev, `ann` has no attribute at all. */
export const SETTINGS = [
  '--sso.modules=rest,rest-services',
  '--sso.authentication.static.users=casuser::Mellon,ann::Mellon',
];

/** The fields of a service, well formed. */
export const WIKI = {
  serviceId: '^https://wiki\\.example\\.org/.*',
  name: 'Wiki',
  description: 'Notes of everybody',
};

/** @param tgt what stands in its place, with the query if there is one */
export function add({ url }: Sso, tgt: string, call: Call): Promise<Reply> {
  return http('POST', url, `/v1/services/add/${tgt}`, call);
}

interface StoredCounts {
  readonly services: number;
  readonly events: number;
}

/** How many services and audit events there are. */
export async function countStored({ database }: Sso): Promise<StoredCounts | undefined> {
  const [row] = await database.dataSource.query<readonly StoredCounts[]>(
    `select (select count(*)::int from registered_service) as services,
      (select count(*)::int from audit_event) as events`,
  );
  return row;
}
