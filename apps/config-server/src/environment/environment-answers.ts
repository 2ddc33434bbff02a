// Environments and plain files by one set of keys and settings, with the caches of what was decrypted and rendered.
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { Environments, overridesSource } from './environments.js';
import { PlainFiles } from './plain-files.js';
import { CipherValues, type Decryptor } from './cipher-values.js';
import { RenderedForms } from './rendered-forms.js';

const MIB = 1024 * 1024;
/** Callers choose the names, and so how many environments there are: what is kept of them is bounded. */
const ENVIRONMENTS = 12 * MIB;
const FORMS = 12 * MIB;

export interface EnvironmentAnswersOptions {
  /** As `cachedBackends` gives them, the strongest first. */
  readonly backends: readonly EnvironmentBackend[];
  readonly decryptor: Decryptor;
  readonly settings: EnvironmentSettings;
}

export class EnvironmentAnswers {
  readonly environments: Environments;
  readonly forms = new RenderedForms(FORMS);
  readonly files: PlainFiles;

  constructor({ backends, decryptor, settings }: EnvironmentAnswersOptions) {
    const protectedValues = settings.decrypts ? new CipherValues(decryptor) : undefined;
    this.environments = new Environments({
      backends,
      overrides: overridesSource(settings.overrides),
      protectedValues,
      capacity: ENVIRONMENTS,
    });
    this.files = new PlainFiles({
      backends,
      environments: this.environments,
      protectedValues: settings.decryptsFiles ? protectedValues : undefined,
    });
  }
}
