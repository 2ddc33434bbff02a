// Registers the applications of the load at the operator's API.
import { setTimeout as sleep } from 'node:timers/promises';
import { http } from '../support/http.js';
import type { LoadTarget } from './target.js';

/** Each node learns of it within a second. */
const ANNOUNCED_MS = 2_000;

/** @param url of the applications, without a path */
export async function admit({ management }: LoadTarget, url: string): Promise<void> {
  const [node] = management?.nodes ?? [];
  if (management === undefined || node === undefined) return;
  const pattern = url.replaceAll('.', '\\.');
  const { status, body } = await http(
    'POST',
    `http://${node.host}:${node.port}`,
    '/api/v1/services',
    {
      headers: {
        authorization: `Bearer ${management.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        serviceId: `^${pattern}/.*`,
        name: 'applications of the load',
        logoutType: 'back',
        proxyPolicy: { kind: 'pattern', pattern: `^${pattern}/callback$` },
      }),
    },
  );
  if (status !== 201) throw new Error(`the applications were not registered: ${status} ${body}`);
  await sleep(ANNOUNCED_MS);
}
