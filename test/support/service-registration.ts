// Registers services over REST.
import { http, type Call, type Reply } from './http.js';
import type { Sso } from './sso.js';

/** `casuser` has the role that profile dev requires; `ann` has no attributes. */
export const SETTINGS = [
  '--sso.modules=rest,rest-services',
  '--sso.authentication.static.users=casuser::Mellon,ann::Mellon',
];

/** Valid fields of a service. */
export const WIKI = {
  serviceId: '^https://wiki\\.example\\.org/.*',
  name: 'Wiki',
  description: 'Notes of everybody',
};

/** @param tgt the rest of the path, with an optional query */
export function add({ url }: Sso, tgt: string, call: Call): Promise<Reply> {
  return http('POST', url, `/v1/services/add/${tgt}`, call);
}

interface StoredCounts {
  readonly services: number;
  readonly events: number;
}

/** Number of services and audit events in the database. */
export async function countStored({ database }: Sso): Promise<StoredCounts | undefined> {
  const [row] = await database.dataSource.query<readonly StoredCounts[]>(
    `select (select count(*)::int from registered_service) as services,
      (select count(*)::int from audit_event
       where action = 'REGISTER_SERVICE' and outcome = 'success') as events`,
  );
  return row;
}
