// Owns the asking of all sources: this machine's in order, then the remote ones side by side.
import type { ActiveProfiles } from './complaint.js';
import { boundsFaults } from './bounds.js';
import { readBootstrap, type Bootstrap } from './bootstrap.js';
import { Catalogue } from './catalogue.js';
import { CoreSettings } from './core-settings.js';
import { protectedEarlyKeys, withoutLocalKeys, withoutEarlyKeys } from './early-keys.js';
import { layerOf, mergeLayers, type Layer } from './layer.js';
import type { Problem } from './problem.js';
import { Protection } from './protection/protection.js';
import { StandaloneSecurity } from './protection/standalone-security.js';
import { Unprotecting, type Unprotected } from './protection/unprotect.js';
import { rawValueOf } from './raw-value.js';
import { resolveSettings } from './resolve.js';
import type { SettingsContext } from './settings-context.js';
import type { SettingsGroup } from './setting.js';
import type { SourceResult } from './settings-source.js';
import { readCommandLine } from './sources/command-line.js';
import { credentialDirectories, readCredentials } from './sources/credentials.js';
import { readEnvironment } from './sources/environment.js';
import type { FilesRead } from './sources/files-read.js';
import { readSettingsFiles, settingsFilePaths } from './sources/settings-files.js';

const PASSWORD = 'sso.standalone.security.password';

/** What all sources say. */
export interface SourceReading {
  readonly bootstrap: Bootstrap;
  /** The strongest first. */
  readonly layers: readonly Layer[];
  /** Of all layers, the strongest values, decrypted. */
  readonly written: Unprotected;
  /** Of this machine's sources, the remote ones left out. */
  readonly local: readonly Layer[];
  /** Whether any remote source was asked. */
  readonly isRemote: boolean;
  /** Paths that were looked at. */
  readonly files: readonly string[];
  readonly filesRead: FilesRead;
  /** Tells the remote sources that what they said is in force. */
  readonly accept: () => Promise<void>;
  /** Tells them that it is not to be. */
  readonly discard: () => void;
  /** Whether every remote source said all it has to say: else what is missing may be theirs. */
  readonly isWhole: boolean;
  /** Whether what protected values are decrypted with could be opened. */
  readonly isProtected: boolean;
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
}

/** @param defaults of the application */
export async function readLayers(
  catalogue: Catalogue,
  defaults: CoreSettings,
  context: SettingsContext,
): Promise<SourceReading> {
  const { bootstrap, direct, files, filesRead, paths } = await readLocal(
    catalogue,
    defaults,
    context,
  );
  const { protection, problems } = await openProtection(direct, bootstrap, baseOf(context));
  const unprotecting = new Unprotecting(protection);
  const known = await unprotecting.all(mergeLayers([...direct, ...files]));
  const remote = await askSources({ context, known, bootstrap, protection }, catalogue);
  const layers = [...direct, ...remote.layers, ...files];
  return {
    bootstrap,
    layers,
    local: [...direct, ...files],
    written: await unprotecting.all(mergeLayers(layers)),
    isRemote: remote.isInUse,
    isWhole: remote.layers.every((layer) => layer.problems.length === 0),
    accept: remote.accept,
    discard: remote.discard,
    filesRead,
    files: [...paths, ...(protection?.files ?? [])],
    isProtected: problems.length === 0,
    warnings: argumentWarnings(direct[0], catalogue),
    problems: [...direct.flatMap(protectedEarlyKeys), ...problems],
  };
}

/** What this machine says. */
interface LocalReading {
  readonly bootstrap: Bootstrap;
  /** What can be read before it is known which files there are. */
  readonly direct: readonly Layer[];
  readonly files: readonly Layer[];
  readonly filesRead: FilesRead;
  /** Where files are, or would be. */
  readonly paths: readonly string[];
}

async function readLocal(
  catalogue: Catalogue,
  defaults: CoreSettings,
  context: SettingsContext,
): Promise<LocalReading> {
  const { argv, env = process.env } = context;
  const directories = context.credentialDirectories ?? credentialDirectories(env);
  const credentials = await Promise.all(
    directories.map((each) => readCredentials(each, catalogue)),
  );
  const direct = [
    readCommandLine(argv, catalogue),
    readEnvironment(env, catalogue),
    ...credentials,
  ];
  const bootstrap = readBootstrap(direct, defaults);
  const files = await readSettingsFiles(bootstrap, catalogue, baseOf(context));
  const given = credentials.flatMap(({ values }) => [...values.values()]);
  return {
    bootstrap,
    direct,
    files: files.layers.map(withoutEarlyKeys),
    filesRead: files.read,
    paths: [
      ...settingsFilePaths(bootstrap, baseOf(context)),
      ...directories,
      ...given.map(({ origin }) => origin),
    ],
  };
}

function baseOf({ directory = process.cwd() }: SettingsContext): string {
  return directory;
}

interface Asking {
  readonly context: SettingsContext;
  /** What this machine says. */
  readonly known: Unprotected;
  readonly bootstrap: Bootstrap;
  readonly protection: Protection | undefined;
}

/** What the remote sources say, asked side by side. */
interface RemoteReading {
  readonly layers: readonly Layer[];
  readonly isInUse: boolean;
  readonly accept: () => Promise<void>;
  readonly discard: () => void;
}

async function askSources(asking: Asking, catalogue: Catalogue): Promise<RemoteReading> {
  const { sources = [], onLocal, readsOnly = false } = asking.context;
  const { applicationName, profiles } = asking.bootstrap;
  const group = <G extends object>(groupClass: new () => G): G | undefined =>
    resolveGroup(groupClass, asking.known, profiles);
  onLocal?.(applicationName, group(CoreSettings)?.logLevels ?? {});
  const keys = asking.protection?.keys;
  const request = { applicationName, profiles, group, readsOnly, keys };
  const results = await Promise.all(sources.map((source) => source.load(request)));
  return {
    layers: results.map((result) => remoteLayer(result, catalogue, asking.known)),
    isInUse: results.some(({ isInUse = true }) => isInUse),
    accept: async () => {
      for (const { accept } of results) await accept?.();
    },
    discard: () => {
      for (const { discard } of results) discard?.();
    },
  };
}

function remoteLayer(
  { values, problems }: SourceResult,
  catalogue: Catalogue,
  known: Unprotected,
): Layer {
  const entries = values.map(({ key, value, origin, isProtected }) => ({
    key,
    value: rawValueOf(value, origin, isProtected ? { isProtected } : {}),
  }));
  // What is wrong with a key of another application is its own affair.
  const ours = problems
    .filter(({ key }) => key === undefined || catalogue.isOfProduct(key))
    // Where the setting stands that is to be mended.
    .map((problem) => ({ ...originOf(problem, known), ...problem }));
  return withoutLocalKeys(withoutEarlyKeys(layerOf(entries, catalogue, ours)));
}

function originOf({ key = '' }: Problem, { values }: Unprotected): Pick<Problem, 'origin'> {
  const origin = values.get(key)?.origin;
  return origin === undefined ? {} : { origin };
}

/** Whoever lists the processes of the machine sees what stands on the command line. */
function argumentWarnings(commandLine: Layer | undefined, catalogue: Catalogue): readonly string[] {
  return [...(commandLine?.values ?? [])].flatMap(([key, { content }]) => {
    const isSecret = catalogue.find(key)?.reader.secret ?? false;
    const isReference = key === PASSWORD && typeof content === 'string' && content.startsWith('@');
    if (!isSecret || isReference || content === '' || content === null) return [];
    return [`${key} stands on the command line, where every user of the machine can read it`];
  });
}

async function openProtection(
  direct: readonly Layer[],
  { profiles }: Bootstrap,
  base: string,
): ReturnType<typeof Protection.open> {
  const values = mergeLayers(direct);
  const origin = values.get(PASSWORD)?.origin ?? '';
  const isReference = /^(?:command line|environment)\b/.test(origin);
  const security = resolveGroup(StandaloneSecurity, { values, problems: [] }, profiles);
  // What is wrong with a value is told with those of all settings.
  return security ? Protection.open(security, { base, isReference }) : { problems: [] };
}

/** A group by itself; undefined where something is wrong with a value in it. */
function resolveGroup<G extends object>(
  groupClass: new () => G,
  { values, problems }: Unprotected,
  profiles: readonly string[],
): G | undefined {
  const catalogue = new Catalogue(groupClass);
  if (problems.some(({ key }) => key !== undefined && catalogue.find(key) !== undefined)) return;
  const group: G & SettingsGroup = new groupClass();
  const resolution = resolveSettings(group, catalogue, values, profiles);
  if (resolution.problems.length > 0 || boundsFaults(group).size > 0) return undefined;
  const active: ActiveProfiles = { isActive: (profile) => profiles.includes(profile) };
  return [...(group.check?.(active) ?? [])].length > 0 ? undefined : group;
}
