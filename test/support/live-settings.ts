// Settings for the specs of reloading, some of them live, and a directory that they are read from.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Min } from 'class-validator';
import {
  type Violation,
  CoreSettings,
  Group,
  integer,
  NeedsRestart,
  type Change,
  ReloadableSettings,
  map,
  NamedGroups,
  ReloadSettings,
  secret,
  type Secret,
  Setting,
  type SettingsContext,
  SettingsError,
  text,
} from '@tessera/config';

class Role {
  @Setting('sso.role.name', text) name = '';
  @Setting('sso.role.value', text) value = '';
}

class Place {
  @Setting('sso.place.url', text) url = '';
  @Setting('sso.place.size', integer) @Min(1) size = 3;
  @Setting('sso.place.max-size', integer) maxSize = 9;
  @Setting('sso.place.password', secret) password: Secret | undefined = undefined;

  constructor(readonly name?: string) {}

  *check(): Iterable<Violation> {
    if (this.size <= this.maxSize) return;
    yield { key: `sso.place.${this.name}.max-size`, message: 'must not be below the size' };
  }
}

/** Allows intervals below the minimum, so that tests are fast. */
class NoMinimumInterval extends ReloadSettings {
  override *check(): Iterable<Violation> {}
}

export class TestSettings extends CoreSettings {
  @Setting('sso.port', integer) @NeedsRestart() @Min(0) port = 8080;
  @Setting('sso.greeting', text) greeting = 'hello';
  @Setting('sso.password', secret) password: Secret | undefined = undefined;
  @Setting('sso.secrets', map(secret)) secrets: Readonly<Record<string, Secret>> = {};
  @Setting('sso.even', integer)
  @NeedsRestart((from: number, to: number) => (from - to) % 2 !== 0)
  even = 0;
  @Setting('sso.label', text) @NeedsRestart() label = '';
  /** A file that the application would read. */
  @Setting('sso.file', text) file = '';
  @Group(Role) readonly role = new Role();
  @NamedGroups('sso.place', Place) readonly places: ReadonlyMap<string, Place> = new Map();
  override readonly reload = new NoMinimumInterval();

  override get files(): readonly string[] {
    return this.file === '' ? [] : [this.file];
  }

  override *check(): Iterable<Violation> {
    if (this.greeting === String(this.port)) {
      yield { key: 'sso.greeting', message: 'must not be the port' };
    }
    if (this.greeting === 'no label' && this.label !== '') {
      yield { key: 'sso.label', message: 'may not be set' };
    }
  }
}

/** A directory with a settings file. */
export class SettingsHome {
  private constructor(readonly directory: string) {}

  static async make(): Promise<SettingsHome> {
    const directory = await mkdtemp(join(tmpdir(), 'live-'));
    await mkdir(join(directory, 'config'));
    return new SettingsHome(directory);
  }

  /** Replaces the settings in the file. */
  write(settings: object): Promise<void> {
    return writeFile(join(this.directory, 'config/sso.yml'), JSON.stringify(settings));
  }

  /** @param snapshot of the settings of another process */
  load(
    context: Partial<SettingsContext> = {},
    snapshot?: string,
  ): Promise<ReloadableSettings<TestSettings>> {
    const { directory } = this;
    const here = { application: 'sso', argv: [], env: {}, directory, credentialDirectories: [] };
    return ReloadableSettings.load(TestSettings, { ...here, ...context }, snapshot);
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true });
  }
}

/** Applies the current content of the files. @returns the changed keys, and those of them that need a restart */
export async function takeOver(
  live: ReloadableSettings<TestSettings>,
): Promise<[string[], string[]]> {
  const { changed, restart, commit } = await live.stage(unprepared);
  commit();
  return [[...changed], [...restart]];
}

/** The violations for which a reload rejects the current files. */
export async function reloadViolations(
  live: ReloadableSettings<TestSettings>,
  prepare = unprepared,
): Promise<readonly string[]> {
  const error: unknown = await live.stage(prepare).catch((thrown: unknown) => thrown);
  if (error instanceof SettingsError) return error.lines;
  throw new Error('the settings were taken', { cause: error });
}

/** Settings that no application uses. */
export const unprepared = (): Promise<Change> =>
  Promise.resolve({ commit: () => {}, discard: () => {} });
