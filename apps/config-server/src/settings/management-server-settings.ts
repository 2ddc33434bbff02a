// The settings of the management server.
import { Max, Min } from 'class-validator';
import { addressViolations, AddressRanges } from '@tessera/server';
import { NeedsRestart, integer, list, Setting, text, type Violation } from '@tessera/config';

const ALLOWED = 'management.metrics.allowed-addresses';

export class ManagementServerSettings {
  @Setting('management.host', text) @NeedsRestart() host = '127.0.0.1';
  /** 0 for no management server. */
  @Setting('management.port', integer) @NeedsRestart() @Min(0) @Max(65_535) commonPort = 8889;
  /** The same for this application alone, where both read the same command line or environment. */
  @Setting('config-server.management.port', integer)
  @NeedsRestart()
  @Min(0)
  @Max(65_535)
  ownPort: number | undefined = undefined;
  /** Addresses and CIDRs that may read metrics, besides programs of this machine. */
  @Setting('management.metrics.allowed-addresses', list) allowed: readonly string[] = [];

  /** For messages: what stands before the port. */
  get application(): string {
    return 'config-server.management';
  }

  get port(): number {
    return this.ownPort ?? this.commonPort;
  }

  get isOn(): boolean {
    return this.port !== 0;
  }

  /** @throws ServerError ADDRESS_RANGES_INVALID, which `check` reports as a violation */
  get allowedAddresses(): AddressRanges {
    return AddressRanges.parse(this.allowed);
  }

  check(): Iterable<Violation> {
    return addressViolations(ALLOWED, this.allowed, 'any machine could read the metrics');
  }
}
