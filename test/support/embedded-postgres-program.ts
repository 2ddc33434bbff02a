// A program that runs an embedded PostgreSQL until its standard input ends, for tests that kill it or run it as another
// user. It prints one line: {"url"} or {"code","message"}.
import { once } from 'node:events';
import { openEmbeddedPostgres } from '@tessera/embedded-postgres';

try {
  const server = await openEmbeddedPostgres({
    directory: process.argv[2] as string,
    durable: false,
  });
  console.log(JSON.stringify({ url: server.url }));
  process.stdin.resume();
  await once(process.stdin, 'end');
  await server.stop();
} catch (error) {
  const { code, message } = error as { code?: string; message?: string };
  console.log(JSON.stringify({ code, message }));
}
