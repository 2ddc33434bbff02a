// The settings of the management server.
import { Max, Min } from 'class-validator';
import { integer, list, NeedsRestart, Setting, text, type Violation } from '@tessera/config';
import { AddressRanges, addressViolations } from '../addresses/address-ranges.js';

const ALLOWED = 'management.metrics.allowed-addresses';

/** The class of the settings `management.*` that both applications have. @param application `sso` */
export function managementServerSettings(application: string, defaultPort: number) {
  const prefix = `${application}.management`;

  class ManagementServerSettings {
    @Setting('management.host', text) @NeedsRestart() host = '127.0.0.1';
    /** 0 for no management server. */
    @Setting('management.port', integer)
    @NeedsRestart()
    @Min(0)
    @Max(65_535)
    commonPort = defaultPort;
    /** The same for this application alone, where both read the same command line or environment. */
    @Setting(`${prefix}.port`, integer)
    @NeedsRestart()
    @Min(0)
    @Max(65_535)
    ownPort: number | undefined = undefined;
    /** Addresses and CIDRs that may read metrics, besides programs of this machine. */
    @Setting(ALLOWED, list) allowed: readonly string[] = [];
    /** For messages: what stands before the port. */
    readonly application = prefix;

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
  return ManagementServerSettings;
}
