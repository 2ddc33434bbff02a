// The settings of rate limits: requests that one client address may send to a route in a window; 0 for no limit.
import { Max, Min } from 'class-validator';
import { duration, integer, Setting } from '@tessera/config';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const MAX_REQUESTS = 1_000_000;

/** Declares the limit of a route. @param profileDefaults as of `Setting` */
export function RequestLimit(key: string, profileDefaults: Readonly<Record<string, number>> = {}) {
  return <P extends string>(target: Readonly<Record<P, number>>, property: P): void => {
    Setting(key, integer, profileDefaults)(target as Record<string, number>, property);
    Min(0)(target, property);
    Max(MAX_REQUESTS)(target, property);
  };
}

/** The class of the settings `<application>.rate-limit.*` that both applications have. @param application `sso` */
export function rateLimitSettings(application: string) {
  class RateLimitSettings {
    @Setting(`${application}.rate-limit.window`, duration) @Min(SECOND) @Max(DAY) window =
      60 * SECOND;
    /** Of `POST /actuator/refresh`. */
    @RequestLimit(`${application}.rate-limit.refresh`) refresh = 600;
  }
  return RateLimitSettings;
}
