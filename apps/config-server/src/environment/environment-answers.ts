// Environments and plain files by one set of keys and settings, with the cache of rendered forms.
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { Environments, overridesSource } from './environments.js';
import { PlainFiles } from './plain-files.js';
import { CipherValues, type Decryptor } from './cipher-values.js';
import { RenderedForms } from './rendered-forms.js';

const MIB = 1024 * 1024;
/** Callers choose the names, and so how many forms there are: the cache is bounded. */
const FORMS = 16 * MIB;

export interface EnvironmentAnswersOptions {
  /** As `cachedBackends` gives them, the strongest first. */
  readonly backends: readonly EnvironmentBackend[];
  readonly decryptor: Decryptor;
  readonly settings: EnvironmentSettings;
}

export class EnvironmentAnswers {
  readonly forms: RenderedForms;
  readonly files: PlainFiles;

  constructor({ backends, decryptor, settings }: EnvironmentAnswersOptions) {
    const protectedValues = settings.decrypts ? new CipherValues(decryptor) : undefined;
    const environments = new Environments({
      backends,
      overrides: overridesSource(settings.overrides),
      protectedValues,
    });
    this.forms = new RenderedForms(environments, FORMS);
    this.files = new PlainFiles({
      backends,
      environments,
      protectedValues: settings.decryptsFiles ? protectedValues : undefined,
    });
  }
}
