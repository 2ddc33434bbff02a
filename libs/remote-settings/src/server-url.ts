// Owns what the address of a server must be like that gives settings, and takes credentials for them.
import type { CoreSettings } from '@tessera/settings';

/** As a parsed URL writes them. A name below `localhost` is asked of a name server on many machines. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * What is wrong with such an address; undefined where nothing is. Reads on from its key, and does not quote it.
 *
 * @param profiles in `production` it must be https, except on this machine
 */
export function serverUrlFault(
  written: string,
  profiles: Pick<CoreSettings, 'isActive'>,
): string | undefined {
  const url = URL.parse(written);
  if (url === null || !/^https?:\/\//i.test(written)) return 'must be an http or https URL';
  // An empty query, fragment or user leaves no trace in the parsed URL.
  if (/[?#@\\\s]/.test(written)) return 'must have no query, fragment or user';
  const isInTheOpen = url.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  const isFault = isInTheOpen && profiles.isActive('production');
  return isFault ? 'must be https in profile production' : undefined;
}
