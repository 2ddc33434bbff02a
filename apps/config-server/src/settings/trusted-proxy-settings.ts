// The settings of reverse proxies: their addresses, and the header that carries the client address.
import {
  addressViolations,
  AddressRanges,
  FORWARDING_HEADERS,
  type Forwarding,
  type ForwardingHeader,
} from '@tessera/server';
import { list, oneOf, Setting, type Violation } from '@tessera/config';

export class TrustedProxySettings {
  /** Addresses and CIDRs of the proxies. */
  @Setting('config-server.proxies.trusted', list) trusted: readonly string[] = [];
  @Setting('config-server.proxies.header', oneOf(...FORWARDING_HEADERS))
  header: ForwardingHeader = 'x-forwarded-for';

  /** @throws ServerError ADDRESS_RANGES_INVALID, for settings with violations */
  forwarding(): Forwarding {
    return { proxies: AddressRanges.parse(this.trusted), header: this.header };
  }

  check(): Iterable<Violation> {
    return addressViolations('config-server.proxies.trusted', this.trusted);
  }
}
