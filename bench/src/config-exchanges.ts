// Owns what the config server and its floor are asked, each in its own ciphertexts.
import { Client } from './client.js';
import type { ConfigRequest } from './config-request.js';

const PLAIN = 'a password of usual length';
/** Of these Node writes its own. */
const NODES_OWN = /^(?:date|connection|keep-alive):/i;

/** A request, in the words of each side. */
export interface Exchange {
  readonly name: string;
  readonly ours: ConfigRequest;
  readonly floors: ConfigRequest;
}

/** What the floor answers to every GET: the headers and the body that the config server gave. */
export interface PreparedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const ORDERS: ConfigRequest = { path: '/orders/prod' };

export async function exchangesWith(ourPort: number, floorPort: number): Promise<Exchange[]> {
  const encrypt = { path: '/encrypt', body: PLAIN };
  return [
    { name: 'GET /orders/prod', ours: ORDERS, floors: ORDERS },
    { name: 'POST /encrypt', ours: encrypt, floors: encrypt },
    {
      name: 'POST /decrypt',
      ours: { path: '/decrypt', body: await encrypted(ourPort) },
      floors: { path: '/decrypt', body: await encrypted(floorPort) },
    },
  ];
}

export async function preparedAnswer(port: number): Promise<PreparedAnswer> {
  const client = await Client.open(port);
  const { head, body } = await client.get(ORDERS.path);
  client.close();
  const [, ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines.filter((each) => !NODES_OWN.test(each))) {
    const [name = '', value = ''] = line.split(': ', 2);
    headers[name] = value;
  }
  return { headers, body };
}

async function encrypted(port: number): Promise<string> {
  const client = await Client.open(port);
  const { status, body } = await client.postText('/encrypt', PLAIN);
  client.close();
  if (status !== 200) throw new Error(`/encrypt was answered ${status}`);
  return body;
}
