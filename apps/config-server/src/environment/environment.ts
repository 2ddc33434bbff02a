// Owns what an environment is once every backend has answered: sources in their order, with readable values.
import type { PropertySource } from '../backends/environment-backend.js';

/** Never changed: the same content is the same object, so what was made of it can be kept by it. */
export interface Environment {
  readonly name: string;
  readonly profile: string;
  readonly label: string | undefined;
  readonly version: string | null;
  readonly state: string | null;
  /** The strongest first. */
  readonly sources: readonly PropertySource[];
}
