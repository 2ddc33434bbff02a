// Owns from which address a request comes: the peer's, unless the peer is a proxy that may say otherwise.
import type { IncomingMessage } from 'node:http';
import { canonicalAddress } from './address.js';
import type { AddressRanges } from './address-ranges.js';
import { hops, type ForwardingHeader } from './forwarding-headers.js';

/** Proxies in a row that are asked for their peer at most; nobody has so many. */
const MOST_PROXIES = 16;
/** Of a connection that has none, over a Unix socket or already gone. */
const UNKNOWN = 'unknown';

/** Who may say for whom a request is, and how. */
export interface Forwarding {
  /** Whose word is taken; of everybody else the header changes nothing. */
  readonly proxies: AddressRanges;
  /** The one that they set; the others change nothing. */
  readonly header: ForwardingHeader;
}

export class ClientAddresses {
  /** @param forwarding what holds now; asked for each request */
  constructor(private readonly forwarding: () => Forwarding) {}

  /** The address at the other end of the connection, whatever it is; `unknown` where there is none. */
  peer({ socket }: IncomingMessage): string {
    const { remoteAddress = UNKNOWN } = socket;
    return canonicalAddress(remoteAddress) ?? remoteAddress;
  }

  /** Whether the other end of the connection is a proxy, which speaks for others. */
  isFromProxy(request: IncomingMessage): boolean {
    return this.forwarding().proxies.contains(this.peer(request));
  }

  /**
   * The nearest address that is no proxy's: each proxy is asked for its own peer, from the connection on. Where one names
   * none, or names something that is no address, it is the proxy's own: what lies behind it may be anybody's invention.
   */
  of(request: IncomingMessage): string {
    const { proxies, header } = this.forwarding();
    let client = this.peer(request);
    if (!proxies.contains(client)) return client;
    const value = request.headers[header];
    if (typeof value !== 'string') return client;
    let asked = 0;
    for (const hop of hops(header, value)) {
      asked += 1;
      if (hop === undefined || asked > MOST_PROXIES) return client;
      client = hop;
      if (!proxies.contains(client)) return client;
    }
    return client;
  }
}
