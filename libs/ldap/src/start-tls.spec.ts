import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startTls } from './transport.js';

/** ExtendedResponse to message 1. */
const AGREES = '300c02010178070a010004000400';
const UNWILLING = '300c02010178070a013504000400';
/** With lengths in the form of Active Directory. */
const AGREES_AT_LENGTH = '3084000000100201017884000000070a010004000400';
const WITH_TEXT = `3081e20201017881dc0a010004000481d4${'61'.repeat(212)}`;
const BIND_RESPONSE = '300c02010261070a010004000400';

let open: Socket[] = [];
afterEach(() => {
  for (const socket of open) socket.destroy();
  open = [];
});

/** Sends the request to a server that answers with these writes and then may close. */
async function ask(writes: readonly string[], isClosing = false): Promise<string> {
  let heard = '';
  const server = createServer((client) => {
    open.push(client);
    client.once('data', (request: Buffer) => {
      heard = request.toString('hex');
      void (async () => {
        for (const bytes of writes) {
          client.write(Buffer.from(bytes, 'hex'));
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
        }
        if (isClosing) client.end();
      })();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  open.push(socket);
  await once(socket, 'connect');
  server.close();
  await startTls(socket, AbortSignal.timeout(1_000));
  return heard;
}

describe('a server that receives a StartTLS request', () => {
  test.each([
    ['refuses', [UNWILLING], 'the server does not start TLS: LDAP result 53'],
    [
      'sends more in the same write',
      [AGREES + BIND_RESPONSE],
      'sent more than the StartTLS response',
    ],
    ['sends one byte more', [`${AGREES}30`], 'sent more than the StartTLS response'],
    ['answers something else', [BIND_RESPONSE], 'LDAP result unreadable'],
    ['answers another message', [AGREES.replace('020101', '020102')], 'LDAP result unreadable'],
    ['answers with a result of no bytes', ['300902010178040a000400'], 'does not speak LDAP'],
    ['answers with half a result', ['300802010178030a0100'], 'does not speak LDAP'],
    ['speaks no LDAP', [Buffer.from('HTTP/1.1 400\r\n').toString('hex')], 'does not speak LDAP'],
    ['answers without end', ['3080020101'], 'does not speak LDAP'],
    ['announces more than anybody reads', ['30830fffff02'], 'does not speak LDAP'],
  ])('is disconnected when it %s', async (_what, writes, reason) => {
    await expect(ask(writes)).rejects.toThrow(reason);
  });

  test('is reported when it closes instead', async () => {
    await expect(ask([AGREES.slice(0, 10)], true)).rejects.toThrow('closed the connection');
  });

  test('is disconnected after a timeout', async () => {
    await expect(ask([AGREES.slice(0, 10)])).rejects.toThrow(/abort/i);
  });

  test.each([
    ['in short', [AGREES]],
    ['in long lengths', [AGREES_AT_LENGTH]],
    ['with a text', [WITH_TEXT]],
    ['byte by byte', AGREES_AT_LENGTH.match(/../g) ?? []],
  ])('may agree %s', async (_how, writes) => {
    const request = await ask(writes);
    expect(request).toBe(
      `301d02010177188016${Buffer.from('1.3.6.1.4.1.1466.20037').toString('hex')}`,
    );
  });
});
