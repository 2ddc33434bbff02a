// Presents each of many service tickets to all nodes at the same time, and counts how often one is accepted.
import { Connection } from '../support/connection.js';
import { admit } from './admit.js';
import type { Address, LoadTarget } from './target.js';

const SERVICE = 'https://raced.example.org/';
const CONNECTIONS = 8;
const REPORT_EVERY = 100_000;

interface Counts {
  presentations: number;
  accepted: number;
  acceptedTwice: number;
  acceptedNever: number;
}

/**
 * @param presentations how many, over all nodes
 * @returns the exit code: 1 if a ticket was accepted twice, or never
 */
export async function race(
  target: LoadTarget,
  presentations: number,
  print: (line: string) => void,
): Promise<number> {
  await admit(target, new URL(SERVICE).origin);
  const counts: Counts = { presentations: 0, accepted: 0, acceptedTwice: 0, acceptedNever: 0 };
  const began = performance.now();
  let reported = 0;
  const report = (): void => {
    if (counts.presentations < reported + REPORT_EVERY) return;
    reported = counts.presentations;
    print(JSON.stringify(counts));
  };
  const mayGoOn = (): boolean => counts.presentations < presentations;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, index) => {
      const connections = await Promise.all(target.nodes.map((node) => open(node)));
      const tgt = await login(connections[0]!, target.path);
      while (mayGoOn()) {
        const granting = connections[index % connections.length]!;
        const ticket = await grant(granting, target.path, tgt);
        const accepted = await present(ticket, connections, target.path);
        counts.presentations += connections.length;
        counts.accepted += accepted;
        if (accepted > 1) counts.acceptedTwice += 1;
        if (accepted < 1) counts.acceptedNever += 1;
        report();
      }
      for (const connection of connections) connection.close();
    }),
  );
  const seconds = Math.round((performance.now() - began) / 1_000);
  print(JSON.stringify({ ...counts, nodes: target.nodes.length, seconds }));
  return counts.acceptedTwice + counts.acceptedNever > 0 ? 1 : 0;
}

function open({ host, port }: Address): Promise<Connection> {
  return Connection.open(port, { host });
}

async function login(connection: Connection, path: string): Promise<string> {
  const credentials = 'username=casuser&password=Mellon';
  const reply = await connection.post(`${path}/v1/tickets`, credentials, ['Accept: text/plain']);
  if (reply.status !== 201) throw new Error(`the login failed: ${reply.head}`);
  return reply.body;
}

async function grant(connection: Connection, path: string, tgt: string): Promise<string> {
  const form = `service=${encodeURIComponent(SERVICE)}`;
  const reply = await connection.post(`${path}/v1/tickets/${tgt}`, form);
  if (reply.status !== 200) throw new Error(`the grant failed: ${reply.head}`);
  return reply.body;
}

/** @returns how many nodes accepted it */
async function present(
  ticket: string,
  connections: readonly Connection[],
  path: string,
): Promise<number> {
  const query = `service=${encodeURIComponent(SERVICE)}&ticket=${ticket}`;
  const replies = await Promise.all(
    connections.map((connection) => connection.get(`${path}/serviceValidate?${query}`)),
  );
  return replies.filter(({ body }) => body.includes('<cas:authenticationSuccess>')).length;
}
