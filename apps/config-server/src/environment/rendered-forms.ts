// The forms in which an environment is served, rendered once and cached until an answer of a backend changes.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { BackendError } from '../backends/backend-error.js';
import { environmentsServed } from './environment-events.js';
import type { EnvironmentAddress, FlattenedFormat } from './environment-request.js';
import type { Environment, Environments, FoundEnvironment } from './environments.js';
import {
  environmentJson,
  environmentJsonWithOrigins,
  flattenedJson,
  JSON_TYPE,
  V2_TYPE,
} from './rendering/environment-json.js';
import {
  flatProperties,
  flattenedProperties,
  resolvedFlatProperties,
  type FlatProperties,
} from './rendering/flat-properties.js';
import { flattenedYaml } from './rendering/flattened-yaml.js';

/** In bytes, of a cache entry without the body. */
const OVERHEAD = 500;

/** A flattened form with placeholders resolved, or `raw`; an environment with or without origins. */
export type FormName = 'environment' | 'origins' | FlattenedFormat | `raw-${FlattenedFormat}`;

interface Form {
  readonly type: string;
  readonly render: (environment: Environment) => string;
}

export interface RenderedForm {
  readonly type: string;
  readonly body: Buffer;
  /** Strong: different bodies have different tags. */
  readonly etag: string;
  /** Of the environment. */
  readonly version: string | null;
}

interface CacheEntry {
  readonly revision: string;
  readonly outcome: Promise<RenderedForm | BackendError>;
}

/** As existing servers send it: without a charset, although the bytes are UTF-8. */
const FLAT_TEXT = 'text/plain';

const FORMS: Readonly<Record<FormName, Form>> = {
  environment: { type: JSON_TYPE, render: environmentJson },
  origins: { type: V2_TYPE, render: environmentJsonWithOrigins },
  ...flattenedForms('yml', FLAT_TEXT, flattenedYaml),
  ...flattenedForms('properties', FLAT_TEXT, flattenedProperties),
  ...flattenedForms('json', JSON_TYPE, flattenedJson),
};

export class RenderedForms {
  private readonly cache: LRUCache<string, CacheEntry>;

  /** @param capacity the maximum size of the cache in bytes */
  constructor(
    private readonly environments: Environments,
    capacity: number,
  ) {
    this.cache = new LRUCache({ maxSize: capacity });
  }

  /**
   * @throws BackendError if any backend fails; SOURCE_MALFORMED if the environment cannot be rendered, which is cached as
   *   well
   */
  async render(address: EnvironmentAddress, name: FormName): Promise<RenderedForm> {
    const found = await this.environments.find(address);
    const key = `${name}\n${address.name}\n${address.profile}\n${address.label ?? ''}`;
    const cached = this.cache.get(key);
    const isCached = cached?.revision === found.revision;
    environmentsServed.publish({ isCached });
    const outcome = await (isCached ? cached.outcome : this.add(key, found, FORMS[name]));
    if (outcome instanceof BackendError) throw outcome;
    return outcome;
  }

  private async add(
    key: string,
    found: FoundEnvironment,
    form: Form,
  ): Promise<RenderedForm | BackendError> {
    const entry = { revision: found.revision, outcome: this.outcomeOf(found, form) };
    const overhead = OVERHEAD + key.length + found.revision.length;
    this.cache.set(key, entry, { size: overhead });
    const outcome = await entry.outcome;
    const { length } = outcome instanceof BackendError ? outcome.message : outcome.body;
    if (this.cache.peek(key) === entry) this.cache.set(key, entry, { size: overhead + length });
    return outcome;
  }

  private async outcomeOf(
    found: FoundEnvironment,
    { type, render }: Form,
  ): Promise<RenderedForm | BackendError> {
    try {
      const environment = await this.environments.assemble(found);
      const body = Buffer.from(render(environment));
      return { type, body, etag: etagOf(body), version: environment.version };
    } catch (error) {
      if (error instanceof BackendError) return error;
      throw error;
    }
  }
}

/** The same bytes have the same tag on every node. */
export function etagOf(body: Buffer): string {
  return `"${hash('sha256', body, 'base64url')}"`;
}

function flattenedForms<F extends FlattenedFormat>(
  format: F,
  type: string,
  render: (properties: FlatProperties) => string,
): Record<F | `raw-${F}`, Form> {
  const forms = {
    [format]: { type, render: ({ sources }) => render(resolvedFlatProperties(sources)) },
    [`raw-${format}`]: { type, render: ({ sources }) => render(flatProperties(sources)) },
  } satisfies Record<string, Form>;
  return forms as Record<F | `raw-${F}`, Form>;
}
