// A DNS server on loopback, whose answers a test decides query by query.
import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };
const RESPONSE = 0x8180;
const NO_SUCH_NAME = 0x8183;
const NAME_OF_QUESTION = 0xc00c;

export class DnsServer {
  /** The IPv4 addresses of each query, in turn; the last ones answer all further queries. */
  answers: readonly (readonly string[])[] = [[]];
  queries = 0;
  /** Answers by type and name, as `A app.test`, instead; `silent` for no answer, and none for a name that is unknown. */
  zone: Readonly<Record<string, readonly string[] | 'silent'>> | undefined;
  /** The questions, as `A app.test`. */
  readonly questions: string[] = [];
  private readonly resolver = new Resolver();

  private constructor(private readonly socket: Socket) {
    this.resolver.setServers([this.address]);
    socket.on('message', (query, { port, address }) => {
      const answer = this.answer(query);
      if (answer !== undefined) socket.send(answer, port, address);
    });
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
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
  private answer(query: Buffer): Buffer | undefined {
    const end = query.indexOf(0, HEADER_BYTES) + 5;
    const type = query.readUInt16BE(end - 4);
    const question = `${TYPES[type]} ${nameIn(query)}`;
    this.questions.push(question);
    const inTurn = this.answers[Math.min(this.queries, this.answers.length - 1)] ?? [];
    this.queries += 1;
    const addresses = this.zone === undefined ? inTurn : this.zone[question];
    if (addresses === 'silent') return undefined;
    const response = Buffer.from(query.subarray(0, end));
    response.writeUInt16BE(addresses === undefined ? NO_SUCH_NAME : RESPONSE, 2);
    response.writeUInt16BE(addresses?.length ?? 0, 6);
    response.writeUInt32BE(0, 8);
    const records = (addresses ?? []).map((address) => {
      const bytes = bytesOf(address);
      const record = Buffer.alloc(12);
      record.writeUInt16BE(NAME_OF_QUESTION, 0);
      record.writeUInt16BE(address.includes(':') ? 28 : 1, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(bytes.length, 10);
      return Buffer.concat([record, bytes]);
    });
    return Buffer.concat([response, ...records]);
  }
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER_BYTES; query[at] !== 0 && query[at] !== undefined; at += query[at]! + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  }
  return labels.join('.');
}

/** @param address IPv4, or IPv6 with all its groups */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  );
}
