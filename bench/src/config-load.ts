// The load generator of the config server, a separate process: it receives one message, sends the requests in turn over
// several connections, and answers with one message.
import { Client, type Reply } from './client.js';
import {
  type ConfigLoad,
  type ConfigRequest,
  summarise,
  type LoadResult,
} from './load-generator.js';

process.once('message', (load: ConfigLoad) => {
  void run(load).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
});

async function run({ port, connections, milliseconds, requests }: ConfigLoad): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: connections }, () => Client.open(port)));
  const times: number[] = [];
  const started = performance.now();
  const end = started + milliseconds;
  let failed = 0;
  await Promise.all(
    clients.map(async (client, index) => {
      const first = Math.floor((index * requests.length) / connections);
      for (let turn = first, from = started; from < end; turn += 1) {
        const request = requests[turn % requests.length];
        if (request === undefined) break;
        from = performance.now();
        const { status } = await send(client, request);
        if (status !== 200) failed += 1;
        times.push(performance.now() - from);
      }
      client.close();
    }),
  );
  return summarise(times, failed, performance.now() - started);
}

function send(client: Client, { path, body }: ConfigRequest): Promise<Reply> {
  return body === undefined ? client.get(path) : client.postText(path, body);
}
