// Validates the URLs of servers that supply settings.
import type { CoreSettings } from '../settings/index.js';

/** As in a parsed URL. Names below `localhost` are excluded: many machines resolve them by DNS. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Checks the URL of a server that supplies settings. Returns a message that continues the key and does not quote the URL;
 * undefined if the URL is valid.
 *
 * @param profiles in `production` the URL must be https, except for a loopback address
 */
export function serverUrlViolation(
  written: string,
  profiles: Pick<CoreSettings, 'isActive'>,
): string | undefined {
  const url = URL.parse(written);
  if (url === null || !/^https?:\/\//i.test(written)) return 'must be an http or https URL';
  // The parsed URL does not show an empty query, fragment or user.
  if (/[?#@\\\s]/.test(written)) return 'must have no query, fragment or user';
  const isUnencrypted = url.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  const isViolation = isUnencrypted && profiles.isActive('production');
  return isViolation ? 'must be https in profile production' : undefined;
}
