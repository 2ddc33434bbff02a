// A DNS server on loopback, whose answers a test decides query by query.
import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const RESPONSE = 0x8180;
const NAME_OF_QUESTION = 0xc00c;

export class DnsServer {
  /** The IPv4 addresses of each query, in turn; the last ones answer all further queries. */
  answers: readonly (readonly string[])[] = [[]];
  queries = 0;
  private readonly resolver = new Resolver();

  private constructor(private readonly socket: Socket) {
    this.resolver.setServers([`127.0.0.1:${socket.address().port}`]);
    socket.on('message', (query, { port, address }) => {
      socket.send(this.answer(query), port, address);
    });
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  /** Asks the server, without a cache. */
  readonly resolve = async (host: string): Promise<readonly LookupAddress[]> => {
    const addresses = await this.resolver.resolve4(host);
    return addresses.map((address) => ({ address, family: 4 }));
  };

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  /** @see RFC 1035 §4.1 */
  private answer(query: Buffer): Buffer {
    const addresses = this.answers[Math.min(this.queries, this.answers.length - 1)] ?? [];
    this.queries += 1;
    const end = query.indexOf(0, HEADER_BYTES) + 5;
    const response = Buffer.from(query.subarray(0, end));
    response.writeUInt16BE(RESPONSE, 2);
    response.writeUInt16BE(addresses.length, 6);
    response.writeUInt32BE(0, 8);
    const records = addresses.map((address) => {
      const record = Buffer.alloc(16);
      record.writeUInt16BE(NAME_OF_QUESTION, 0);
      record.writeUInt16BE(TYPE_A, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(4, 10);
      record.set(address.split('.').map(Number), 12);
      return record;
    });
    return Buffer.concat([response, ...records]);
  }
}
