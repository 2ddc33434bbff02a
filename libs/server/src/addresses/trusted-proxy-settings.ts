// The settings of trusted reverse proxies: their addresses, and the header that carries the client address.
import { list, oneOf, Setting, type Violation } from '@tessera/config';
import { AddressRanges, addressViolations } from './address-ranges.js';
import { FORWARDING_HEADERS, type Forwarding, type ForwardingHeader } from './client-addresses.js';

/** The class of the settings `<application>.proxies.*`. @param application `sso` */
export function trustedProxySettings(application: string) {
  const prefix = `${application}.proxies`;

  class TrustedProxySettings {
    /** Addresses and CIDRs of the proxies. */
    @Setting(`${prefix}.trusted`, list) trusted: readonly string[] = [];
    @Setting(`${prefix}.header`, oneOf(...FORWARDING_HEADERS))
    header: ForwardingHeader = 'x-forwarded-for';

    /** @throws ServerError ADDRESS_RANGES_INVALID, which `check` reports as a violation */
    forwarding(): Forwarding {
      return { proxies: AddressRanges.parse(this.trusted), header: this.header };
    }

    check(): Iterable<Violation> {
      return addressViolations(`${prefix}.trusted`, this.trusted);
    }
  }
  return TrustedProxySettings;
}
