// Owns the settings of what stands in front: which proxies may say who called them, and in which header.
import {
  addressComplaints,
  AddressRanges,
  ClientAddresses,
  FORWARDING_HEADERS,
  type ForwardingHeader,
} from '@tessera/server';
import { list, oneOf, Setting, type Complaint } from '@tessera/settings';

export class ProxySettings {
  /** Addresses and CIDRs of the proxies. */
  @Setting('sso.proxies.trusted', list) trusted: readonly string[] = [];
  @Setting('sso.proxies.header', oneOf(...FORWARDING_HEADERS))
  header: ForwardingHeader = 'x-forwarded-for';

  /** @throws ServerError ADDRESS_RANGES_INVALID, of which `check` complains */
  clientAddresses(): ClientAddresses {
    return new ClientAddresses(AddressRanges.parse(this.trusted), this.header);
  }

  check(): Iterable<Complaint> {
    return addressComplaints('sso.proxies.trusted', this.trusted);
  }
}
