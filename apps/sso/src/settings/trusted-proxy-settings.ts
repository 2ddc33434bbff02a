// The settings of trusted reverse proxies.
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
  @Setting('sso.proxies.trusted', list) trusted: readonly string[] = [];
  @Setting('sso.proxies.header', oneOf(...FORWARDING_HEADERS))
  header: ForwardingHeader = 'x-forwarded-for';

  /** @throws ServerError ADDRESS_RANGES_INVALID, which `check` reports as a violation */
  forwarding(): Forwarding {
    return { proxies: AddressRanges.parse(this.trusted), header: this.header };
  }

  check(): Iterable<Violation> {
    return addressViolations('sso.proxies.trusted', this.trusted);
  }
}
