// Splits the `logoutUrl` of a service, which may list several URLs in one text, as in Apereo CAS.
import type { ServiceDefinition } from './registered-service.js';

/** Between two URLs. Another comma belongs to its URL. */
const SEPARATOR = /(?:\s*,)+\s*(?=https?:)/i;

/** Those of the registration, each once, or else the URL of the ticket. */
export function logoutUrlsOf(
  { logoutUrl }: Pick<ServiceDefinition, 'logoutUrl'>,
  service: string,
): readonly string[] {
  return logoutUrl === null ? [service] : [...new Set(listedUrls(logoutUrl))];
}

export function listedUrls(text: string): readonly string[] {
  return text.trim().split(SEPARATOR);
}
