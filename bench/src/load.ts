// The load generator of the SSO application, a separate process: it receives one message, runs issue-and-validate cycles
// over several connections, and answers with one message.
import { Client } from './client.js';
import { summarise, type LoadRequest, type LoadResult } from './load-generator.js';

const SERVICE = 'http%3A%2F%2Flocalhost%3A9000%2Fapp';
/** Coprime to the number of services, so that each of them comes in turn. */
const STRIDE = 7_919;

process.once('message', (request: LoadRequest) => {
  void run(request).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
});

async function run(request: LoadRequest): Promise<LoadResult> {
  const clients = await Promise.all(
    Array.from({ length: request.connections }, () => Client.open(request.port)),
  );
  const times: number[] = [];
  const started = performance.now();
  const end = started + request.milliseconds;
  let failed = 0;
  let count = 0;
  const nextService = (): string => {
    if (request.services === undefined) return SERVICE;
    count += 1;
    const number = ((count * STRIDE) % request.services) + 1;
    return encodeURIComponent(`https://app${number}.example.org/`);
  };
  await Promise.all(
    clients.map(async (client, index) => {
      const tgts = request.tgts.filter((_, place) => place % clients.length === index);
      for (let turn = 0; performance.now() < end; turn += 1) {
        const tgt = tgts[turn % tgts.length] ?? request.tgts[0] ?? '';
        const from = performance.now();
        if (!(await cycle(client, request.prefix, tgt, nextService()))) failed += 1;
        times.push(performance.now() - from);
      }
      client.close();
    }),
  );
  return summarise(times, failed, performance.now() - started);
}

/** A cycle is two requests; the percentiles are those of whole cycles. */
async function cycle(
  client: Client,
  prefix: string,
  tgt: string,
  service: string,
): Promise<boolean> {
  const issued = await client.post(`${prefix}/v1/tickets/${tgt}`, `service=${service}`);
  if (issued.status !== 200) return false;
  const path = `${prefix}/p3/serviceValidate?service=${service}&ticket=${issued.body}`;
  const validated = await client.get(path);
  return validated.status === 200 && validated.body.includes('authenticationSuccess');
}
