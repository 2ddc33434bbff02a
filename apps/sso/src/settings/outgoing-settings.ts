// The settings of calls to registered services: which URLs may be called.
import { addressViolations, AddressRanges } from '@tessera/server';
import { boolean, list, Setting, type Violation } from '@tessera/config';

export class OutgoingSettings {
  /** Whether plain http is allowed, besides https. */
  @Setting('sso.outgoing.allow-http', boolean, { dev: true }) allowHttp = false;
  /** Addresses and CIDRs that are allowed besides public addresses. */
  @Setting('sso.outgoing.allowed-addresses', list, { dev: ['127.0.0.0/8', '::1'] })
  allowed: readonly string[] = [];

  /** @throws ServerError ADDRESS_RANGES_INVALID, which `check` reports as a violation */
  get allowedAddresses(): AddressRanges {
    return AddressRanges.parse(this.allowed);
  }

  check(): Iterable<Violation> {
    return addressViolations(
      'sso.outgoing.allowed-addresses',
      this.allowed,
      'services could make the server call any machine',
    );
  }
}
