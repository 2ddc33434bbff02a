import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  Catch,
  Controller,
  Get,
  Module,
  Post,
  Req,
  UseFilters,
  type ExceptionFilter,
  type INestApplication,
} from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { maxOpenFiles } from '@tessera/runtime';
import { TestAuthority, type Identity } from '../../../../test/support/pki/test-authority.js';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { http } from '../../../../test/support/http.js';
import { sendRaw } from '../../../../test/support/raw-request.js';
import { text, type Answer } from '../answers/answer.js';
import { createApplication } from './application.js';
import { readBody } from '../requests/body.js';
import type { AnswerAdapter } from './express-adapter.js';
import { ExpiryModule } from '../tls/expiry-watch.js';
import { Listener } from '../listeners/listener.js';
import { peerCertificate } from '../tls/https-listener.js';
import type { TlsOptions } from '../tls/tls-settings.js';

@Controller('length')
class LengthController {
  /** The length of the client's certificate. */
  @Get()
  length(@Req() request: IncomingMessage): Answer {
    return text(200, String(peerCertificate(request)?.length ?? 'none'));
  }
}

@Controller('body')
class BodyController {
  /** The length of the body in bytes. */
  @Post()
  async length(@Req() request: IncomingMessage): Promise<Answer> {
    const body = await readBody(request, 10);
    return text(200, `${body.length} bytes`);
  }
}

/** At work, and the most at once. */
let requests = { running: 0, most: 0 };

@Controller('slow')
class SlowController {
  @Get()
  async answer(): Promise<Answer> {
    requests.most = Math.max(requests.most, ++requests.running);
    await setImmediate();
    requests.running -= 1;
    return text(200, 'done');
  }
}

@Catch()
class FailingFilter implements ExceptionFilter {
  catch(): never {
    throw new Error('the filter failed');
  }
}

/** Its error filter fails, too. */
@Controller('failing')
@UseFilters(FailingFilter)
class FailingController {
  @Get()
  fail(): never {
    throw new Error('the route failed');
  }
}

@Module({
  imports: [ExpiryModule],
  controllers: [BodyController, LengthController, SlowController, FailingController],
})
class TestModule {}

let folder: string;
let authority: TestAuthority;
let client: Identity;
let tls: TlsOptions;

beforeAll(async () => {
  folder = await makeFolder();
  authority = await TestAuthority.create();
  client = await authority.issue('CN=client');
  const { cert, key } = await authority.issue('CN=server');
  await writeFile(join(folder, 'cert'), cert);
  await writeFile(join(folder, 'key'), key);
  tls = {
    certificate: { setting: 'a.certificate', path: join(folder, 'cert') },
    key: { setting: 'a.key', path: join(folder, 'key') },
    requestsClientCertificate: true,
  };
});

afterAll(() => removeFolder(folder));

async function create(options: TlsOptions | undefined): Promise<INestApplication> {
  const listener = options && (await Listener.create(options));
  const app = await createApplication(TestModule, { contextPath: '/cas', listener });
  listener?.serve((app.getHttpAdapter() as unknown as AnswerAdapter).handle);
  return app;
}

async function withPort<T>(app: INestApplication, work: (port: number) => Promise<T>): Promise<T> {
  await app.listen(0, '127.0.0.1');
  try {
    return await work(((app.getHttpServer() as Server).address() as AddressInfo).port);
  } finally {
    (app.getHttpServer() as Server).close();
    await app.close();
  }
}

describe('an application', () => {
  test('with TLS answers over HTTPS, and knows what certificate came', async () => {
    await withPort(await create(tls), async (port) => {
      const ask = (identity: object) =>
        http('GET', `https://127.0.0.1:${port}/cas`, '/length', {
          tls: { ca: authority.cert, ...identity },
        });
      expect(await ask({})).toMatchObject({ status: 200, body: 'none' });
      expect(Number((await ask(client)).body)).toBeGreaterThan(100);
    });
  });

  test('with TLS takes no plain HTTP', async () => {
    await withPort(await create(tls), async (port) => {
      await expect(http('GET', `http://127.0.0.1:${port}/cas`, '/length')).rejects.toThrow();
    });
  });

  test('without TLS answers over HTTP, and knows no certificate', async () => {
    await withPort(await create(undefined), async (port) => {
      const reply = await http('GET', `http://127.0.0.1:${port}/cas`, '/length');
      expect(reply).toMatchObject({ status: 200, body: 'none' });
    });
  });

  test.each([
    ['no length', '', '', '0 bytes'],
    ['length 0', 'Content-Length: 0\r\n', '', '0 bytes'],
    ['a length', 'Content-Length: 3\r\n', 'abc', '3 bytes'],
    ['no chunk', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n', '0 bytes'],
    ['chunks', 'Transfer-Encoding: chunked\r\n', '2\r\nab\r\n0\r\n\r\n', '2 bytes'],
  ])('reads a body of %s, and the request behind it', async (_kind, header, body, expected) => {
    await withPort(await create(undefined), async (port) => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      const first = `POST /cas/body HTTP/1.1\r\nHost: localhost\r\n${header}\r\n${body}`;
      socket.write(
        `${first}GET /cas/length HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      const answers = (await socket.toArray()).join('');
      expect(answers.match(/(?<=\r\n\r\n)\w+( bytes)?/g)).toEqual([expected, 'none']);
    });
  });

  test.each([
    ['http', () => undefined],
    ['https', () => tls],
  ])('over %s handles one request of a connection at a time', async (protocol, options) => {
    requests = { running: 0, most: 0 };
    await withPort(await create(options()), async (port) => {
      const [first, last] = ['keep-alive', 'close'].map(
        (connection) =>
          `GET /cas/slow HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`,
      );
      const answers = await sendRaw(
        `${protocol}://127.0.0.1:${port}`,
        `${first?.repeat(4)}${last}`,
      );
      expect(answers.match(/done/g)).toHaveLength(5);
      expect(requests).toEqual({ running: 0, most: 1 });
    });
  });

  test.each([
    ['HTTP', () => undefined],
    ['HTTPS', () => tls],
  ])(
    'over %s has bounds for connections, and for answers that nobody reads',
    async (_, options) => {
      const app = await create(options());
      const { maxConnections, timeout } = app.getHttpServer() as Server;
      await app.close();
      expect(maxConnections).toBeLessThan(maxOpenFiles());
      expect(timeout).toBe(30_000);
    },
  );

  test('continues after an error filter fails', async () => {
    const lines: string[] = [];
    configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
    await withPort(await create(undefined), async (port) => {
      const base = `http://127.0.0.1:${port}/cas`;
      expect(await http('GET', base, '/failing')).toMatchObject({ status: 500 });
      expect(await http('GET', base, '/length')).toMatchObject({ status: 200 });
    });
    configureLogging({ application: 'test', levels: { root: 'warn' } });
    expect(lines.join('')).toContain('the filter failed');
  });

  test('is not created if a file of its listener is unusable', async () => {
    const key = { setting: 'a.key', path: join(folder, 'missing') };
    await expect(create({ ...tls, key })).rejects.toMatchObject({
      code: 'TLS_FILE_UNUSABLE',
      message: `a.key: ${folder}/missing does not exist`,
    });
  });
});
