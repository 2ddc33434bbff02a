// An immutable snapshot of all registered services, prepared for matching.
import { LRUCache } from 'lru-cache';
import type { RegisteredService } from '../registered-service.js';
import { ServiceError } from '../service-error.js';
import { MAX_STEPS } from './compiled-pattern.js';
import { LiteralIndex, requiredLiterals, type Requirement } from './literal-index.js';
import { parsedSpellings } from './parsed-url.js';
import {
  foldCase,
  MAX_URL_LENGTH,
  type ServicePattern,
  servicePattern,
} from './service-pattern.js';
import { forEachYielding } from './yield-to-event-loop.js';

/** Cached URLs: each is matched again when its ticket is validated. */
const CACHE_SIZE = 1_000;
const MAX_CACHED_URL_LENGTH = 1_024;

interface PreparedPattern {
  readonly pattern: ServicePattern;
  readonly requirements: readonly Requirement[];
}

interface Entry extends PreparedPattern {
  readonly service: RegisteredService;
}

interface Reading {
  /** The service of the URL. */
  readonly service: RegisteredService | undefined;
  /** The first services that match it: as written, and as a URL parser reads it. */
  readonly owners: readonly RegisteredService[];
}

/** A service that can never match. */
export interface Unmatchable {
  readonly service: RegisteredService;
  readonly reason: string;
}

export class ServiceSnapshot {
  static readonly empty = new ServiceSnapshot([], undefined, new Map(), []);

  private readonly cache = new LRUCache<string, Reading>({ max: CACHE_SIZE });

  private constructor(
    private readonly entries: readonly Entry[],
    private readonly index: LiteralIndex | undefined,
    private readonly patterns: ReadonlyMap<string, PreparedPattern>,
    /** Services with an invalid pattern. The store refuses them, but other programs may write them. */
    readonly unmatchable: readonly Unmatchable[],
  ) {}

  /**
   * Prepares services for matching. Those without a pattern match nothing. Yields to the event loop between small steps, and reuses the patterns of `previous`.
   */
  static async of(
    services: readonly RegisteredService[],
    previous: ServiceSnapshot = ServiceSnapshot.empty,
  ): Promise<ServiceSnapshot> {
    const entries: Entry[] = [];
    const patterns = new Map<string, PreparedPattern>();
    const unmatchable: Unmatchable[] = [];
    await forEachYielding(inEvaluationOrder(services), (service) => {
      const { serviceId } = service;
      if (serviceId === null) return;
      try {
        const known = patterns.get(serviceId) ?? previous.patterns.get(serviceId);
        const pattern = known ?? preparePattern(serviceId);
        patterns.set(serviceId, pattern);
        entries.push({ service, ...pattern });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        unmatchable.push({ service, reason: error.message });
      }
    });
    const index = await LiteralIndex.of(entries.map(({ requirements }) => requirements));
    return new ServiceSnapshot(entries, index, patterns, unmatchable);
  }

  /**
   * The first service in evaluation order that matches the URL, enabled or not. Undefined where a URL parser reads a URL that
   * belongs to no service or to another one, as in `https://evil.example?.wild.test/` for the pattern `https://[^/]+/`.
   */
  match(url: string): RegisteredService | undefined {
    return this.read(url).service;
  }

  /** The first services that match the URL: as written, and as a URL parser reads it. */
  owners(url: string): readonly RegisteredService[] {
    return this.read(url).owners;
  }

  /** All services that match the URL as written, in evaluation order: the first decides. Empty where {@link match} finds none. */
  matchAll(url: string): readonly RegisteredService[] {
    return this.match(url) === undefined ? [] : [...this.findAll(url)];
  }

  private read(url: string): Reading {
    const cached = this.cache.get(url);
    if (cached !== undefined) return cached;
    const reading = this.find(url);
    if (url.length <= MAX_CACHED_URL_LENGTH) this.cache.set(flatCopy(url), reading);
    return reading;
  }

  private find(url: string): Reading {
    const spellings = parsedSpellings(url);
    const written = this.firstOf(url);
    const parsed = [...new Set(spellings)].flatMap((spelling) =>
      spelling === url ? written : this.firstOf(spelling),
    );
    const owners = [...written, ...parsed];
    const [first] = written;
    const isRead = spellings?.length === 0 || parsed.length > 0;
    const isReadAs = isRead && owners.every(({ id }) => id === first?.id);
    return { service: isReadAs ? first : undefined, owners };
  }

  private firstOf(url: string): readonly RegisteredService[] {
    const [first] = this.findAll(url);
    return first === undefined ? [] : [first];
  }

  private *findAll(url: string): Iterable<RegisteredService> {
    if (url.length > MAX_URL_LENGTH) return;
    const folded = foldCase(url);
    let steps = 0;
    for (const position of this.index?.candidates(folded) ?? []) {
      const { pattern, service } = this.entries[position] as Entry;
      steps += pattern.cost(url.length);
      // Matching would block the event loop. A later service must not match in place of this one.
      if (steps > MAX_STEPS) return;
      if (pattern.matches(url, folded)) yield service;
    }
  }
}

type Ordered = Pick<RegisteredService, 'evaluationOrder' | 'name' | 'serviceId' | 'enabled' | 'id'>;

/**
 * By evaluation order, then name (in lower case first, as Apereo does), serviceId, disabled before enabled, and id.
 * @see docs/services.md
 */
export function inEvaluationOrder<T extends Ordered>(services: readonly T[]): T[] {
  return services.toSorted(
    (a, b) =>
      a.evaluationOrder - b.evaluationOrder ||
      compare(a.name.toLowerCase(), b.name.toLowerCase()) ||
      compare(a.name, b.name) ||
      compare(a.serviceId ?? '', b.serviceId ?? '') ||
      Number(a.enabled) - Number(b.enabled) ||
      compare(BigInt(a.id), BigInt(b.id)),
  );
}

function compare<T extends string | bigint>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A copy of its own: a substring, of a form for example, would keep the whole text in memory. */
function flatCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function preparePattern(serviceId: string): PreparedPattern {
  return { pattern: servicePattern(serviceId), requirements: requiredLiterals(serviceId) };
}
