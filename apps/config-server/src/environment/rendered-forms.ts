// Owns which forms an environment is served in, and that each is rendered once as long as nothing changes.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { BackendError } from '../backends/backend-error.js';
import type { FlattenedFormat } from './environment-path.js';
import type { Environment } from './environment.js';
import {
  environmentJson,
  environmentJsonWithOrigins,
  JSON_TYPE,
  V2_TYPE,
} from './rendering/environment-json.js';
import { asWritten, withPlaceholdersResolved } from './rendering/flat-properties.js';
import { flattenedJson } from './rendering/flattened-json.js';
import { flattenedProperties } from './rendering/flattened-properties.js';
import { flattenedYaml } from './rendering/flattened-yaml.js';

/** In bytes, of what is kept beside the body. */
const OVERHEAD = 500;

/** A flattened form with its placeholders resolved, or `raw`; an environment with or without origins. */
export type FormName = 'environment' | 'origins' | FlattenedFormat | `raw-${FlattenedFormat}`;

interface Form {
  readonly type: string;
  readonly render: (environment: Environment) => string;
}

/** A form as it goes over the wire. */
export interface RenderedForm {
  readonly type: string;
  /** Each character a byte. */
  readonly body: string;
  readonly encoding: 'latin1';
  /** Strong: another one wherever a byte of the body is another. */
  readonly etag: string;
}

interface Kept {
  /** How long environments are kept is not decided here. */
  readonly environment: WeakRef<Environment>;
  readonly outcome: RenderedForm | BackendError;
}

/** Existing servers send it without a charset; the bytes are UTF-8. */
const FLAT_TEXT = 'text/plain';

const FORMS: Readonly<Record<FormName, Form>> = {
  environment: { type: JSON_TYPE, render: environmentJson },
  origins: { type: V2_TYPE, render: environmentJsonWithOrigins },
  ...flattenedForms('yml', FLAT_TEXT, flattenedYaml),
  ...flattenedForms('properties', FLAT_TEXT, flattenedProperties),
  ...flattenedForms('json', JSON_TYPE, flattenedJson),
};

export class RenderedForms {
  private readonly kept: LRUCache<string, Kept>;

  /** @param capacity the most bytes of rendered forms to keep */
  constructor(capacity: number) {
    this.kept = new LRUCache({ maxSize: capacity });
  }

  /** @throws BackendError SOURCE_MALFORMED where placeholders come to too much; that, too, is found once */
  of(environment: Environment, name: FormName): RenderedForm {
    const key = `${name}\n${environment.name}\n${environment.profile}\n${environment.label ?? ''}`;
    const kept = this.kept.get(key);
    const isCurrent = kept?.environment.deref() === environment;
    const outcome = kept && isCurrent ? kept.outcome : outcomeOf(environment, FORMS[name]);
    if (!isCurrent) {
      const bytes = outcome instanceof BackendError ? outcome.message.length : outcome.body.length;
      const size = OVERHEAD + key.length + bytes;
      this.kept.set(key, { environment: new WeakRef(environment), outcome }, { size });
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
  render: (properties: ReturnType<typeof asWritten>) => string,
): Record<F | `raw-${F}`, Form> {
  const forms = {
    [format]: { type, render: ({ sources }) => render(withPlaceholdersResolved(sources)) },
    [`raw-${format}`]: { type, render: ({ sources }) => render(asWritten(sources)) },
  } satisfies Record<string, Form>;
  return forms as Record<F | `raw-${F}`, Form>;
}
