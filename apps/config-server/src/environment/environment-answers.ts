// Owns what answers for environments and files: it is made of keys and settings, and keeps what it has decrypted and
// rendered for as long as these are in force. When they change, another one takes its place, which knows nothing of it.
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { Environments } from './environments.js';
import { overridesSource } from './overrides.js';
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

/** The injection token of a function that gives the {@link EnvironmentAnswers} in force. A request asks it once. */
export const ANSWERS_IN_FORCE = Symbol('AnswersInForce');
