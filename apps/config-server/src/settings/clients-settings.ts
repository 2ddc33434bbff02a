// The settings of clients and of the throttling of failed authentication.
import { Max, Min } from 'class-validator';
import {
  NeedsRestart,
  type Violation,
  duration,
  integer,
  map,
  type SettingParser,
  Setting,
  type SettingsGroup,
  texts,
  type ViolationText,
} from '@tessera/config';
import type { ThrottlePolicy } from '@tessera/throttling';
import { readClient, type Client, type ClientEntry } from './client.js';
import { joinedViolation } from './joined-violation.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const CLIENTS = 'config-server.clients';

type ClientEntries = Readonly<Record<string, ClientEntry>>;

/** Never shown, because a user may enter a password in place of its hash. */
const clientEntries: SettingParser<ClientEntries> = {
  ...map(map(texts)),
  secret: true,
};

export class ClientsSettings implements SettingsGroup {
  /** By name: `password-hash` or `token-hash`, `applications`, `permissions`. */
  @Setting('config-server.clients', clientEntries)
  @NeedsRestart(isOpening)
  entries: ClientEntries = {};
  /** Failures with one name from one address. */
  @Setting('config-server.throttle.threshold', integer)
  @Min(1)
  @Max(10_000)
  threshold = 10;
  /** Failures from one address. */
  @Setting('config-server.throttle.address-threshold', integer)
  @Min(1)
  @Max(1_000_000)
  addressThreshold = 100;
  @Setting('config-server.throttle.window', duration)
  @Min(SECOND)
  @Max(DAY)
  window = 60 * SECOND;

  /** By name; clients with violations are left out. */
  get clients(): ReadonlyMap<string, Client> {
    const read = Object.entries(this.entries).map(([name, client]) => readClient(name, client));
    return new Map(read.flatMap((client) => ('name' in client ? [[client.name, client]] : [])));
  }

  get throttlePolicy(): ThrottlePolicy {
    const { threshold, addressThreshold, window } = this;
    return { threshold, addressThreshold, window };
  }

  *check(): Iterable<Violation> {
    yield* joinedViolation(CLIENTS, [...this.#clientViolations(), ...this.#sharedTokens()]);
    if (this.addressThreshold < this.threshold) {
      const key = 'config-server.throttle.address-threshold';
      yield { key, message: 'must not be less than config-server.throttle.threshold' };
    }
  }

  *#clientViolations(): Iterable<Required<ViolationText>> {
    for (const [index, [name, entry]] of Object.entries(this.entries).entries()) {
      const read = readClient(name, entry);
      if ('name' in read) continue;
      for (const { message, rule = message } of read) {
        yield { message: `${JSON.stringify(name)} ${message}`, rule: `entry ${index + 1} ${rule}` };
      }
    }
  }

  /** A token identifies its client, so two clients cannot share one. */
  *#sharedTokens(): Iterable<Required<ViolationText>> {
    const owners = new Map<string, string>();
    for (const { name, tokenHash } of this.clients.values()) {
      if (tokenHash === undefined) continue;
      const owner = owners.get(tokenHash);
      owners.set(tokenHash, name);
      if (owner === undefined) continue;
      const both = [owner, name].map((each) => JSON.stringify(each)).join(' and ');
      const rule = 'have the same token-hash';
      yield { message: `${both} ${rule}`, rule: `two clients ${rule}` };
    }
  }
}

/** Without clients, every local program is admitted. Removing the last client needs a restart, as it may be a mistake. */
function isOpening(from: ClientEntries, to: ClientEntries): boolean {
  return !isEmpty(from) && isEmpty(to);
}

function isEmpty(clients: ClientEntries): boolean {
  return Object.keys(clients).length === 0;
}
