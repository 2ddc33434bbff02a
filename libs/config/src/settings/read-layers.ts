// Reads all sources: the local ones in order, then the remote ones in parallel.
import type { ActiveProfiles, ReportedViolation } from './violation.js';
import { violatedBounds } from './bounds.js';
import {
  readBootstrap,
  type Bootstrap,
  protectedEarlyKeys,
  withoutLocalOnlyKeys,
  withoutEarlyKeys,
} from './bootstrap.js';
import { SettingKeys } from './setting-keys.js';
import { CoreSettings } from './core-settings.js';
import { layerOf, mergeLayers, type Layer } from './layer.js';
import { profileWarnings } from './profile-warnings.js';
import { Protection } from './protection/protection.js';
import { StandaloneSecurity } from './protection/standalone-security.js';
import { ValueDecrypter, type DecryptedValues } from './protection/decrypt-values.js';
import { rawValueOf } from './raw-value.js';
import { resolveSettings } from './resolve.js';
import type { SettingsContext } from './settings-context.js';
import type { SettingsGroup } from './setting.js';
import type { SourceResult } from './settings-source.js';
import { readCommandLine } from './sources/command-line.js';
import { credentialDirectories, readCredentials } from './sources/credentials.js';
import { readEnvironment } from './sources/environment.js';
import type { FilesRead } from './sources/file-contents.js';
import { readSettingsFiles, settingsFilePaths } from './sources/settings-files.js';

const PASSWORD_KEY = 'sso.standalone.security.password';

/** The result of reading all sources. */
export interface SourceReading {
  readonly bootstrap: Bootstrap;
  /** The strongest first. */
  readonly layers: readonly Layer[];
  /** The strongest value of each key, decrypted. */
  readonly decrypted: DecryptedValues;
  /** The layers of local sources. */
  readonly local: readonly Layer[];
  /** Whether any remote source is configured. */
  readonly isRemote: boolean;
  /** Paths of all files that were read, or would be if they existed. */
  readonly files: readonly string[];
  readonly filesRead: FilesRead;
  /** Tells the remote sources that their values are current. */
  readonly accept: () => Promise<void>;
  /** Tells them that their values were rejected. */
  readonly discard: () => void;
  /** False if a remote source reported a violation: a missing value may be one of its own. */
  readonly isComplete: boolean;
  /** Whether the keys of protected values could be opened. */
  readonly hasProtection: boolean;
  readonly warnings: readonly string[];
  readonly violations: readonly ReportedViolation[];
}

export async function readLayers(
  settingKeys: SettingKeys,
  defaults: CoreSettings,
  context: SettingsContext,
): Promise<SourceReading> {
  const { bootstrap, direct, files, filesRead, fileWarnings, paths } = await readLocal(
    settingKeys,
    defaults,
    context,
  );
  const { protection, violations } = await openProtection(direct, bootstrap, baseOf(context));
  const unprotecting = new ValueDecrypter(protection);
  const known = await unprotecting.decryptAll(mergeLayers([...direct, ...files]));
  const remote = await loadRemoteSources({ context, known, bootstrap, protection }, settingKeys);
  const layers = [...direct, ...remote.layers, ...files];
  return {
    bootstrap,
    layers,
    local: [...direct, ...files],
    decrypted: await unprotecting.decryptAll(mergeLayers(layers)),
    isRemote: remote.isInUse,
    isComplete: remote.layers.every((layer) => layer.violations.length === 0),
    accept: remote.accept,
    discard: remote.discard,
    filesRead,
    files: [...paths, ...(protection?.files ?? [])],
    hasProtection: violations.length === 0,
    warnings: [
      ...profileWarnings(bootstrap.profiles),
      ...commandLineWarnings(direct[0], settingKeys),
      ...fileWarnings,
    ],
    violations: [...direct.flatMap(protectedEarlyKeys), ...violations],
  };
}

interface LocalReading {
  readonly bootstrap: Bootstrap;
  /** Sources that are read before the settings files are known. */
  readonly direct: readonly Layer[];
  readonly files: readonly Layer[];
  readonly filesRead: FilesRead;
  readonly fileWarnings: readonly string[];
  /** Paths of files that were read, or would be if they existed. */
  readonly paths: readonly string[];
}

async function readLocal(
  settingKeys: SettingKeys,
  defaults: CoreSettings,
  context: SettingsContext,
): Promise<LocalReading> {
  const { argv, env = process.env } = context;
  const directories = context.credentialDirectories ?? credentialDirectories(env);
  const credentials = await Promise.all(
    directories.map((each) => readCredentials(each, settingKeys)),
  );
  const direct = [
    readCommandLine(argv, settingKeys),
    readEnvironment(env, settingKeys),
    ...credentials,
  ];
  const bootstrap = readBootstrap(direct, defaults);
  const files = await readSettingsFiles(bootstrap, settingKeys, baseOf(context));
  const given = credentials.flatMap(({ values }) => [...values.values()]);
  return {
    bootstrap,
    direct,
    files: files.layers.map(withoutEarlyKeys),
    filesRead: files.read,
    fileWarnings: files.warnings,
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

interface RemoteContext {
  readonly context: SettingsContext;
  /** The values of local sources. */
  readonly known: DecryptedValues;
  readonly bootstrap: Bootstrap;
  readonly protection: Protection | undefined;
}

interface RemoteReading {
  readonly layers: readonly Layer[];
  readonly isInUse: boolean;
  readonly accept: () => Promise<void>;
  readonly discard: () => void;
}

async function loadRemoteSources(
  remote: RemoteContext,
  settingKeys: SettingKeys,
): Promise<RemoteReading> {
  const { sources = [], onLocal, readOnly = false } = remote.context;
  const { applicationName, profiles } = remote.bootstrap;
  const group = <G extends object>(groupClass: new () => G): G | undefined =>
    resolveGroup(groupClass, remote.known, profiles);
  onLocal?.(applicationName, group(CoreSettings)?.logLevels ?? {});
  const keys = remote.protection?.keys;
  const request = { applicationName, profiles, group, readOnly, keys };
  const results = await Promise.all(sources.map((source) => source.load(request)));
  return {
    layers: results.map((result) => remoteLayer(result, settingKeys, remote.known)),
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
  { values, violations }: SourceResult,
  settingKeys: SettingKeys,
  known: DecryptedValues,
): Layer {
  const entries = values.map(({ key, value, origin, isProtected }) => ({
    key,
    value: rawValueOf(value, origin, isProtected ? { isProtected } : {}),
  }));
  // Violations of another application's keys are not reported.
  const ours = violations
    .filter(({ key }) => key === undefined || settingKeys.isOfProduct(key))
    // The origin of the setting to correct.
    .map((violation) => ({ ...originOf(violation, known), ...violation }));
  return withoutLocalOnlyKeys(withoutEarlyKeys(layerOf(entries, settingKeys, ours)));
}

function originOf(
  { key = '' }: ReportedViolation,
  { values }: DecryptedValues,
): Pick<ReportedViolation, 'origin'> {
  const origin = values.get(key)?.origin;
  return origin === undefined ? {} : { origin };
}

/** Every user of the machine can list its processes with their arguments. */
function commandLineWarnings(
  commandLine: Layer | undefined,
  settingKeys: SettingKeys,
): readonly string[] {
  return [...(commandLine?.values ?? [])].flatMap(([key, { content }]) => {
    const isSecret = settingKeys.find(key)?.parser.secret ?? false;
    const isReference =
      key === PASSWORD_KEY && typeof content === 'string' && content.startsWith('@');
    if (!isSecret || isReference || content === '' || content === null) return [];
    if (isUrlWithoutPassword(content)) return [];
    return [`${key} is on the command line, where every user of the machine can read it`];
  });
}

/** `database.url` is a secret for the password that it may hold. */
function isUrlWithoutPassword(content: unknown): boolean {
  const url = typeof content === 'string' ? URL.parse(content) : null;
  return url !== null && url.password === '' && !url.searchParams.has('password');
}

async function openProtection(
  direct: readonly Layer[],
  { profiles }: Bootstrap,
  base: string,
): ReturnType<typeof Protection.open> {
  const values = mergeLayers(direct);
  const origin = values.get(PASSWORD_KEY)?.origin ?? '';
  const isReference = /^(?:command line|environment)\b/.test(origin);
  const security = resolveGroup(StandaloneSecurity, { values, violations: [] }, profiles);
  // Resolving all settings reports invalid values.
  return security ? Protection.open(security, { base, isReference }) : { violations: [] };
}

/** Resolves one group alone; undefined if a value in it is invalid. */
function resolveGroup<G extends object>(
  groupClass: new () => G,
  { values, violations }: DecryptedValues,
  profiles: readonly string[],
): G | undefined {
  const settingKeys = new SettingKeys(groupClass);
  if (violations.some(({ key }) => key !== undefined && settingKeys.find(key) !== undefined)) {
    return;
  }
  const group: G & SettingsGroup = new groupClass();
  const resolution = resolveSettings(group, settingKeys, values, profiles);
  if (resolution.violations.length > 0 || violatedBounds(group).size > 0) return undefined;
  const active: ActiveProfiles = { isActive: (profile) => profiles.includes(profile) };
  return [...(group.check?.(active) ?? [])].length > 0 ? undefined : group;
}
