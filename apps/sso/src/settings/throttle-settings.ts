// The settings of throttling failed logins, for each entry point.
import { Max, Min } from 'class-validator';
import {
  boolean,
  type Violation,
  duration,
  integer,
  Setting,
  type SettingsGroup,
} from '@tessera/config';
import type { ThrottlePolicies } from '../authentication/login-throttles.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
export class ThrottleSettings implements SettingsGroup {
  @Setting('sso.throttle.rest.enabled', boolean, { production: true }) restEnabled = false;
  /** Failures of one user name from one address. */
  @Setting('sso.throttle.rest.threshold', integer) @Min(1) @Max(10_000) restThreshold = 10;
  /** Failures from one address; `threshold` by default. */
  @Setting('sso.throttle.rest.address-threshold', integer)
  @Min(1)
  @Max(1_000_000)
  restAddressThreshold: number | undefined = undefined;
  @Setting('sso.throttle.rest.window', duration) @Min(SECOND) @Max(DAY) restWindow = 60 * SECOND;

  @Setting('sso.throttle.login.enabled', boolean) loginEnabled = true;
  @Setting('sso.throttle.login.threshold', integer) @Min(1) @Max(10_000) loginThreshold = 10;
  /** Higher than `threshold`, because the people of an office share an address. */
  @Setting('sso.throttle.login.address-threshold', integer)
  @Min(1)
  @Max(1_000_000)
  loginAddressThreshold = 100;
  @Setting('sso.throttle.login.window', duration) @Min(SECOND) @Max(DAY) loginWindow = 60 * SECOND;

  get policies(): ThrottlePolicies {
    const rest = {
      threshold: this.restThreshold,
      addressThreshold: this.restAddressThreshold ?? this.restThreshold,
      window: this.restWindow,
    };
    const login = {
      threshold: this.loginThreshold,
      addressThreshold: this.loginAddressThreshold,
      window: this.loginWindow,
    };
    return {
      rest: this.restEnabled ? rest : undefined,
      login: this.loginEnabled ? login : undefined,
    };
  }

  *check(): Iterable<Violation> {
    yield* checkThresholds('rest', this.restThreshold, this.restAddressThreshold);
    yield* checkThresholds('login', this.loginThreshold, this.loginAddressThreshold);
  }
}

function* checkThresholds(
  entryPoint: keyof ThrottlePolicies,
  threshold: number,
  addressThreshold = threshold,
): Iterable<Violation> {
  if (addressThreshold >= threshold) return;
  const key = `sso.throttle.${entryPoint}.address-threshold`;
  yield { key, message: `must not be less than sso.throttle.${entryPoint}.threshold` };
}
