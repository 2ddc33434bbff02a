// The services behind the environment endpoints, with their caches of decrypted and rendered content. A change of keys or
// settings replaces all of them together, so that no cache outlives the settings it depends on.
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { Environments, overridesSource } from './environments.js';
import { PlainFiles } from './plain-files.js';
import { CipherValues, type Decryptor } from './cipher-values.js';
import { RenderedForms } from './rendered-forms.js';

const MIB = 1024 * 1024;
/** Callers choose the names, and so the number of environments: the caches have a maximum size in bytes. */
const ENVIRONMENT_CACHE_SIZE = 12 * MIB;
const FORM_CACHE_SIZE = 12 * MIB;

export interface EnvironmentAnswersOptions {
  /** From `cachedBackends`, the strongest first. */
  readonly backends: readonly EnvironmentBackend[];
  readonly decryptor: Decryptor;
  readonly settings: EnvironmentSettings;
}

export class EnvironmentAnswers {
  readonly environments: Environments;
  readonly forms = new RenderedForms(FORM_CACHE_SIZE);
  readonly files: PlainFiles;

  constructor({ backends, decryptor, settings }: EnvironmentAnswersOptions) {
    const protectedValues = settings.decrypts ? new CipherValues(decryptor) : undefined;
    this.environments = new Environments({
      backends,
      overrides: overridesSource(settings.overrides),
      protectedValues,
      capacity: ENVIRONMENT_CACHE_SIZE,
    });
    this.files = new PlainFiles({
      backends,
      environments: this.environments,
      protectedValues: settings.decryptsFiles ? protectedValues : undefined,
    });
  }
}

/** The injection token of a function that returns the current {@link EnvironmentAnswers}. Call it once for each request. */
export const ANSWERS_IN_FORCE = Symbol('AnswersInForce');
