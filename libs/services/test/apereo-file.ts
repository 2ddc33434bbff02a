// Service files as Apereo CAS writes them, for the tests of the import.
import { readApereoService, type ReadService } from '../src/import/apereo-service.js';
import { parseHjson } from '../src/import/hjson.js';

export const CAS = 'org.apereo.cas.services';

/** The members that a file must have. */
export const MINIMAL = {
  '@class': `${CAS}.RegexRegisteredService`,
  serviceId: '^https://a\\.example\\.org/.*',
  name: 'a',
};

export const access = (fields: object): object => ({
  accessStrategy: { '@class': `${CAS}.DefaultRegisteredServiceAccessStrategy`, ...fields },
});

export const releasing = (name: string, fields: object = {}): object => ({
  attributeReleasePolicy: { '@class': `${CAS}.${name}AttributeReleasePolicy`, ...fields },
});

export const named = (name: string, fields: object = {}): object => ({
  usernameAttributeProvider: { '@class': `${CAS}.${name}`, ...fields },
});

export const proxying = (name: string, fields: object = {}): object => ({
  proxyPolicy: { '@class': `${CAS}.${name}RegisteredServiceProxyPolicy`, ...fields },
});

export const set = (...entries: readonly unknown[]): unknown => ['java.util.HashSet', entries];

export const map = (entries: object): object => ({ '@class': 'java.util.HashMap', ...entries });

/** Reads a file with this value. */
export function readValue(value: unknown): ReturnType<typeof readApereoService> {
  return readText(JSON.stringify(value));
}

export function readText(text: string): ReturnType<typeof readApereoService> {
  return readApereoService(parseHjson(text), 'file.json');
}

/** A client that has what it must have. */
export const CLIENT = {
  '@class': `${CAS}.OidcRegisteredService`,
  serviceId: 'https://app.example.org/cb',
  name: 'App',
  clientId: 'app',
  clientSecret: 'the secret',
  supportedGrantTypes: set('authorization_code'),
};

/** Reads the file of a client with `fields` besides the minimal ones. */
export function readClient(fields: object = {}): ReadService {
  return serviceIn(readValue({ ...CLIENT, ...fields }));
}

/** Reads the file of a service with `fields` besides the minimal ones. */
export function readFile(fields: object): ReadService {
  return serviceIn(readValue({ ...MINIMAL, ...fields }));
}

function serviceIn(result: ReturnType<typeof readApereoService>): ReadService {
  if ('definition' in result) return result;
  throw new Error('refusal' in result ? result.refusal : result.ignored);
}
