// The forms in which an environment is served, rendered once and cached until the environment changes.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { BackendError } from '../backends/backend-error.js';
import type { FlattenedFormat } from './environment-request.js';
import type { Environment } from './environments.js';
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
  /** One character for each byte. */
  readonly body: string;
  readonly encoding: 'latin1';
  /** Strong: different bodies have different tags. */
  readonly etag: string;
}

interface CacheEntry {
  /** Weak, so that this cache does not keep environments in memory. */
  readonly environment: WeakRef<Environment>;
  readonly outcome: RenderedForm | BackendError;
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
  constructor(capacity: number) {
    this.cache = new LRUCache({ maxSize: capacity });
  }

  /** @throws BackendError SOURCE_MALFORMED if resolved placeholders are too large; this error is cached as well */
  render(environment: Environment, name: FormName): RenderedForm {
    const key = `${name}\n${environment.name}\n${environment.profile}\n${environment.label ?? ''}`;
    const cached = this.cache.get(key);
    const isCurrent = cached?.environment.deref() === environment;
    const outcome = cached && isCurrent ? cached.outcome : outcomeOf(environment, FORMS[name]);
    if (!isCurrent) {
      const bytes = outcome instanceof BackendError ? outcome.message.length : outcome.body.length;
      const size = OVERHEAD + key.length + bytes;
      this.cache.set(key, { environment: new WeakRef(environment), outcome }, { size });
    }
    if (outcome instanceof BackendError) throw outcome;
    return outcome;
  }
}

function outcomeOf(environment: Environment, form: Form): RenderedForm | BackendError {
  try {
    return renderForm(environment, form);
  } catch (error) {
    if (error instanceof BackendError) return error;
    throw error;
  }
}

function renderForm(environment: Environment, { type, render }: Form): RenderedForm {
  const body = Buffer.from(render(environment));
  return { type, body: body.toString('latin1'), encoding: 'latin1', etag: etagOf(body) };
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
