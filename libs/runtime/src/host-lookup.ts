// Finds the addresses of hosts by c-ares. `dns.lookup` occupies one of libuv's threads until the operating system gives up:
// two dead names at a time would stop every other look-up of the process, such as that of a new database connection.
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { SingleFlight } from './single-flight.js';

/** In milliseconds. */
const TIME_LIMIT = 3_000;
const FAILURE_KEPT_FOR = 10_000;
/** Each name server is asked twice. */
const QUERY_OPTIONS = { timeout: 1_000, tries: 2 };

/** Where names are looked up; the parts default to those of the system. */
export interface NameSources {
  /** In the format of `/etc/hosts`. */
  readonly hosts?: string;
  /** In the format of `/etc/resolv.conf`, for its search list. */
  readonly resolverSettings?: string;
  /** `address:port`; by default those of `/etc/resolv.conf`. */
  readonly servers?: readonly string[];
}

export class HostLookup {
  private readonly underWay = new SingleFlight<readonly LookupAddress[]>();
  private readonly failures = new Map<string, unknown>();

  constructor(private readonly sources: NameSources = {}) {}

  /**
   * The addresses of a host: an address itself, else those of the hosts file, else those in the DNS. It ends within 3 s.
   * Concurrent callers share a look-up, and callers of the next 10 s its failure.
   *
   * @throws Error with the code of c-ares, such as ENOTFOUND
   */
  async find(host: string): Promise<readonly LookupAddress[]> {
    const name = isIP(host) === 0 ? canonicalHost(host) : host;
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family }];
    if (this.failures.has(name)) throw this.failures.get(name);
    return this.underWay.run(name, () => this.search(name));
  }

  private async search(name: string): Promise<readonly LookupAddress[]> {
    const { hosts = '/etc/hosts' } = this.sources;
    const known = knownAddresses(await linesOf(hosts), name);
    if (known.length > 0) return known;
    try {
      return await this.ask(name);
    } catch (error) {
      this.failures.set(name, error);
      setTimeout(() => this.failures.delete(name), FAILURE_KEPT_FOR).unref();
      throw error;
    }
  }

  /** Each look-up has a resolver of its own: it reads the servers of the moment, and is cancelled alone. */
  private async ask(name: string): Promise<readonly LookupAddress[]> {
    const { servers, resolverSettings = '/etc/resolv.conf' } = this.sources;
    const resolver = new Resolver(QUERY_OPTIONS);
    if (servers !== undefined) resolver.setServers(servers);
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      resolver.cancel();
    }, TIME_LIMIT);
    try {
      const failures: unknown[] = [];
      for (const candidate of candidatesFor(await linesOf(resolverSettings), name)) {
        const found = await Promise.allSettled([
          addressesIn(4, resolver.resolve4(candidate)),
          addressesIn(6, resolver.resolve6(candidate)),
        ]);
        const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
        if (addresses.length > 0) return addresses;
        failures.push(
          ...found.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : [])),
        );
        if (isLate) break;
      }
      throw failures[0];
    } finally {
      clearTimeout(limit);
    }
  }
}

const system = new HostLookup();

/** As {@link HostLookup.find}, of the system's names. */
export function findAddresses(host: string): Promise<readonly LookupAddress[]> {
  return system.find(host);
}

const findWithCallback = callbackify(findAddresses);

/** The option `lookup` of connections, in place of `dns.lookup`. */
export const lookupHost: LookupFunction = (host, { all }, callback) => {
  findWithCallback(host, (error, addresses) => {
    const [first] = addresses ?? [];
    if (first === undefined) callback(error, '');
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  });
};

/** In lower case and ASCII. Short and octal forms of an IPv4 address, such as `127.1`, become the usual one. */
function canonicalHost(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? host;
}

async function addressesIn(
  family: 4 | 6,
  answer: Promise<readonly string[]>,
): Promise<readonly LookupAddress[]> {
  return (await answer).map((address) => ({ address, family }));
}

/** The lines of a file in words, without remarks; none where it cannot be read. */
async function linesOf(path: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/[#;].*/, '')
        .trim()
        .split(/\s+/),
    )
    .filter(([first]) => first !== '');
}

/** From the hosts file. `localhost` and the names below it are this machine without an entry too. @see RFC 6761 §6.3 */
function knownAddresses(
  hosts: readonly (readonly string[])[],
  name: string,
): readonly LookupAddress[] {
  const found = hosts.flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.some((each) => each.toLowerCase() === name) ? [address] : [],
  );
  const isLocal = found.length === 0 && /(^|\.)localhost$/.test(name);
  const addresses = isLocal ? ['127.0.0.1', '::1'] : found;
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

/** The name itself, and below each domain of the search list. @see resolv.conf(5) */
function candidatesFor(settings: readonly (readonly string[])[], name: string): readonly string[] {
  if (name.endsWith('.')) return [name];
  const domains =
    settings.findLast(([key]) => key === 'search' || key === 'domain')?.slice(1) ?? [];
  const options = settings.flatMap(([key, ...values]) => (key === 'options' ? values : []));
  const minDots = Number(options.findLast((each) => each.startsWith('ndots:'))?.slice(6) ?? 1);
  const below = domains.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= minDots ? [name, ...below] : [...below, name];
}
