// All registered services at one moment, ready to be matched. Never changes; a change of the
// services makes a new one.
import { LRUCache } from 'lru-cache';
import type { RegisteredService } from '../registered-service.js';
import { ServiceError } from '../service-error.js';
import { foldCase } from './letter-case.js';
import { LiteralIndex } from './literal-index.js';
import { type Requirement, requirementsOf } from './pattern-literals.js';
import {
  MAX_STEPS,
  MAX_URL_LENGTH,
  type ServicePattern,
  servicePattern,
} from './service-pattern.js';
import { inSlices } from './yield-to-event-loop.js';

/** Cached matches: each URL is matched again when its ticket is validated. */
const MAX_MATCHES = 1_000;
const MAX_CACHED_URL_LENGTH = 1_024;

/** All that is known of a pattern, whichever services have it. */
interface KnownPattern {
  readonly pattern: ServicePattern;
  readonly requirements: readonly Requirement[];
}

interface Entry extends KnownPattern {
  readonly service: RegisteredService;
}

interface Answer {
  readonly service: RegisteredService | undefined;
}

/** A service that can match nothing. */
export interface Unmatchable {
  readonly service: RegisteredService;
  readonly reason: string;
}

export class ServiceSnapshot {
  static readonly empty = new ServiceSnapshot([], undefined, new Map(), []);

  private readonly answers = new LRUCache<string, Answer>({ max: MAX_MATCHES });

  private constructor(
    private readonly entries: readonly Entry[],
    private readonly index: LiteralIndex | undefined,
    private readonly patterns: ReadonlyMap<string, KnownPattern>,
    /** Services whose pattern is none; the store lets none in, other hands may. */
    readonly unmatchable: readonly Unmatchable[],
  ) {}

  /**
   * Prepares services for matching, in small steps between which the process does other work.
   * Patterns that `previous` holds already are taken over.
   */
  static async of(
    services: readonly RegisteredService[],
    previous: ServiceSnapshot = ServiceSnapshot.empty,
  ): Promise<ServiceSnapshot> {
    const entries: Entry[] = [];
    const patterns = new Map<string, KnownPattern>();
    const unmatchable: Unmatchable[] = [];
    await inSlices(inEvaluationOrder(services), (service) => {
      const { serviceId } = service;
      try {
        const known = patterns.get(serviceId) ?? previous.patterns.get(serviceId);
        const pattern = known ?? readPattern(serviceId);
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

  get size(): number {
    return this.entries.length;
  }

  /** The first service in evaluation order that matches the URL, enabled or not. */
  match(url: string): RegisteredService | undefined {
    const kept = this.answers.get(url);
    if (kept !== undefined) return kept.service;
    const service = this.find(url);
    if (url.length <= MAX_CACHED_URL_LENGTH) this.answers.set(copyOf(url), { service });
    return service;
  }

  private find(url: string): RegisteredService | undefined {
    if (url.length > MAX_URL_LENGTH) return undefined;
    const folded = foldCase(url);
    let steps = 0;
    for (const position of this.index?.candidates(folded) ?? []) {
      const { pattern, service } = this.entries[position] as Entry;
      steps += pattern.cost(url.length);
      // Finding out would hold up everybody else; a service behind this one must not answer for it.
      if (steps > MAX_STEPS) return undefined;
      if (pattern.matches(url, folded)) return service;
    }
    return undefined;
  }
}

/**
 * By evaluation order, then name (in lower case first, as Apereo does), serviceId, disabled before enabled, and id.
 * @see docs/services.md
 */
export function inEvaluationOrder<T extends RegisteredService>(services: readonly T[]): T[] {
  return services.toSorted(
    (a, b) =>
      a.evaluationOrder - b.evaluationOrder ||
      compare(a.name.toLowerCase(), b.name.toLowerCase()) ||
      compare(a.name, b.name) ||
      compare(a.serviceId, b.serviceId) ||
      Number(a.enabled) - Number(b.enabled) ||
      compare(BigInt(a.id), BigInt(b.id)),
  );
}

function compare<T extends string | bigint>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A part of a longer text, such as a form, keeps all of that in memory for as long as it is kept itself. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function readPattern(serviceId: string): KnownPattern {
  return { pattern: servicePattern(serviceId), requirements: requirementsOf(serviceId) };
}
