// A settings class for the specs of loading, and a directory that it is loaded from.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { IsNotEmpty, Max, Min } from 'class-validator';
import {
  type Violation,
  CoreSettings,
  duration,
  integer,
  list,
  type LoadedSettings,
  loadSettings,
  map,
  oneOf,
  secret,
  type Secret,
  Setting,
  type SettingsContext,
  SettingsError,
  text,
  texts,
} from '@tessera/config';

export class SsoSettings extends CoreSettings {
  @Setting('sso.base-url', text) baseUrl = 'http://localhost:8080/cas';
  @Setting('sso.host', text, { dev: '127.0.0.1', test: '::1' }) host = '0.0.0.0';
  @Setting('sso.port', integer) @Min(0) @Max(65_535) port = 8080;
  @Setting('sso.modules', list) modules: readonly string[] = ['rest'];
  @Setting('sso.dialect', oneOf('documented', 'apereo')) dialect = 'documented';
  @Setting('sso.tickets.tgt.max-lifetime', duration) @Min(1000) tgtMaxLifetime = 28_800_000;
  @Setting('sso.security.password', secret) password?: Secret;
  @Setting('sso.users', map(map(texts))) users: Readonly<Record<string, object>> = {};
  @Setting('database.url', text) @IsNotEmpty({ message: 'must not be empty' }) databaseUrl: string =
    'postgresql://localhost/sso';

  override *check(): Iterable<Violation> {
    if (this.isActive('production') && this.baseUrl.startsWith('http:')) {
      yield { key: 'sso.base-url', message: 'must be https in profile production' };
    }
  }
}

/** Contents by path, relative to the directory. Settings files are in `config/`. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Loads from a directory with just these files. */
export async function load(
  files: Files,
  context: Partial<SettingsContext> = {},
): Promise<LoadedSettings<SsoSettings>> {
  const directory = await mkdtemp(join(tmpdir(), 'settings-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), content);
    }
    const isolated = { application: 'sso', argv: [], env: {}, directory };
    return await loadSettings(SsoSettings, { ...isolated, ...context });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The lines of the error, one for each violation. */
export async function violationsOf(
  files: Files,
  context: Partial<SettingsContext> = {},
): Promise<string[]> {
  const error: unknown = await load(files, context).catch((thrown: unknown) => thrown);
  if (!(error instanceof SettingsError)) {
    throw new Error('the settings were taken', { cause: error });
  }
  const [, ...lines] = error.message.split('\n');
  return lines.map((line) => line.trim());
}
