// The settings of throttling failed logins.
import { Max, Min } from 'class-validator';
import {
  boolean,
  type Violation,
  duration,
  integer,
  Live,
  Setting,
  type SettingsGroup,
} from '@tessera/config';
import type { ThrottlePolicies } from '../authentication/login-throttles.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

@Live()
export class ThrottleSettings implements SettingsGroup {
  @Setting('sso.throttle.rest.enabled', boolean) restEnabled = false;
  /** Failures of one user name from one address. */
  @Setting('sso.throttle.rest.threshold', integer) @Min(1) @Max(10_000) restThreshold = 10;
  /** Failures from one address; `threshold` by default. */
  @Setting('sso.throttle.rest.address-threshold', integer)
  @Min(1)
  @Max(1_000_000)
  restAddressThreshold: number | undefined = undefined;
  @Setting('sso.throttle.rest.window', duration) @Min(SECOND) @Max(DAY) restWindow = 60 * SECOND;

  get policies(): ThrottlePolicies {
    const { restThreshold: threshold, restWindow: window } = this;
    const addressThreshold = this.restAddressThreshold ?? threshold;
    return { rest: this.restEnabled ? { threshold, addressThreshold, window } : undefined };
  }

  *check(): Iterable<Violation> {
    if (this.restAddressThreshold !== undefined && this.restAddressThreshold < this.restThreshold) {
      const key = 'sso.throttle.rest.address-threshold';
      yield { key, message: 'must not be less than sso.throttle.rest.threshold' };
    }
  }
}
