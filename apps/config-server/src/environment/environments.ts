// Assembles environments: overrides first, then the sources of every backend with protected values decrypted.
import type {
  BackendEnvironment,
  EnvironmentBackend,
  PropertySource,
} from '../backends/environment-backend.js';
import type { EnvironmentAddress } from './environment-request.js';
import type { CipherValues } from './cipher-values.js';

export interface Environment {
  readonly name: string;
  readonly profile: string;
  readonly label: string | undefined;
  readonly version: string | null;
  readonly state: string | null;
  /** The strongest first. */
  readonly sources: readonly PropertySource[];
}

export interface EnvironmentsOptions {
  /** The strongest first. */
  readonly backends: readonly EnvironmentBackend[];
  readonly overrides: PropertySource | undefined;
  /** Undefined when protected values are served encrypted. */
  readonly protectedValues: CipherValues | undefined;
}

/** The answers of all backends, to be assembled. */
export interface FoundEnvironment {
  /** Equal revisions of an address mean equal environments. */
  readonly revision: string;
  readonly address: EnvironmentAddress;
  /** In the order of the backends. */
  readonly parts: readonly BackendEnvironment[];
}

export class Environments {
  constructor(private readonly options: EnvironmentsOptions) {}

  /** @throws BackendError if any backend fails */
  async find(address: EnvironmentAddress): Promise<FoundEnvironment> {
    const parts = await Promise.all(this.options.backends.map((backend) => backend.find(address)));
    const revisions = parts.map(({ revision, version, state }) => [revision, version, state]);
    return { revision: revisions.join('\n'), address, parts };
  }

  async assemble({
    address: { name, profile, label },
    parts,
  }: FoundEnvironment): Promise<Environment> {
    const { overrides, protectedValues } = this.options;
    const found = parts.flatMap((part) => part.sources);
    const sources = protectedValues
      ? await Promise.all(found.map((source) => protectedValues.decryptSource(source)))
      : found;
    // The version of one of several backends would not describe the whole environment.
    const [only] = parts.length === 1 ? parts : [];
    return {
      name,
      profile,
      label,
      version: only?.version ?? null,
      state: only?.state ?? null,
      sources: overrides ? [overrides, ...sources] : sources,
    };
  }
}

/**
 * The source of the overrides in the settings; undefined when there are none. `\${x}` becomes `${x}`: loading the settings
 * resolves only placeholders without the backslash.
 */
export function overridesSource(
  overrides: Readonly<Record<string, string>>,
): PropertySource | undefined {
  const entries = Object.entries(overrides);
  if (entries.length === 0) return undefined;
  const properties = entries.map(
    ([key, text]) => [key, { value: text.replaceAll('\\${', '${') }] as const,
  );
  return { name: 'overrides', properties: new Map(properties) };
}
