// The config server as a source of settings, with the last known answer for when no server answers.
import { loggerFor } from '@tessera/logging';
import type {
  ReportedViolation,
  SettingsSource,
  SourceRequest,
  SourceResult,
} from '../../settings/index.js';
import { readCaFile, fetchEnvironment, type FetchResult } from './config-server-requests.js';
import { ConfigServerClientSettings, keyOf } from './config-server-client-settings.js';
import { describeEnvironment, type EnvironmentName } from './environment-name.js';
import { environmentValues } from './environment-values.js';
import { SavedEnvironment, type SavedAnswer } from './saved-environment.js';

const log = loggerFor('settings');

const HOUR = 3_600_000;
const LAST_KNOWN_GOOD = keyOf('last-known-good');
const NOTHING: SourceResult = { values: [], violations: [] };

type Answered = Exclude<FetchResult, { failure: unknown }>;
type Unanswered = Extract<FetchResult, { failure: unknown }>;

interface Loading {
  readonly settings: ConfigServerClientSettings;
  readonly name: EnvironmentName;
  /** Undefined if the last answer is not saved. */
  readonly lastKnownGood: SavedEnvironment | undefined;

  readonly readOnly: boolean;
}

/** The last valid answer. */
interface LastAnswer {
  readonly name: string;
  readonly server: string;
  readonly result: SourceResult;
}

export class ConfigServerSource implements SettingsSource {
  /** Used at a reload if no server answers. */
  private last: LastAnswer | undefined;

  async load(request: SourceRequest): Promise<SourceResult> {
    const settings = request.group(ConfigServerClientSettings);
    if (!settings || settings.urls.length === 0) return this.notConfigured();
    const { applicationName: application, profiles, keys, readOnly = false } = request;
    const name = { application, profiles, label: settings.label };
    const ca = settings.caFile === '' ? undefined : await readCaFile(settings.caFile);
    if (ca && 'error' in ca) return failWith({ key: keyOf('ca-file'), message: ca.error });
    const path = settings.lastKnownGood;
    const lastKnownGood = path && keys ? await SavedEnvironment.open(path, keys) : undefined;
    if (path && !lastKnownGood) {
      const message = 'needs a key to encrypt the file with: sso.standalone.security.password';
      return failWith({ key: LAST_KNOWN_GOOD, message });
    }
    const fetched = await fetchEnvironment({ settings, name, ca: ca?.pem });
    const loading = { settings, name, lastKnownGood, readOnly };
    if (!('failure' in fetched)) return this.answered(fetched, loading);
    const { key, reason: message, isTemporary } = fetched.failure;
    return isTemporary ? this.fallBack(fetched, loading) : failWith({ key, message });
  }

  private answered({ server, environment, json }: Answered, loading: Loading): SourceResult {
    const result = environmentValues(environment, server);
    if (result.violations.length > 0) return result;
    const { name, lastKnownGood, readOnly } = loading;
    const accept = async (): Promise<void> => {
      this.last = { name: describeEnvironment(name), server, result };
      if (readOnly) return;
      const reason = await lastKnownGood?.save(name, { server, time: new Date(), json });
      if (reason !== undefined) log.warn({ reason }, 'config server settings were not saved');
    };
    return { ...result, accept };
  }

  private async fallBack({ failure }: Unanswered, loading: Loading): Promise<SourceResult> {
    const { settings, name, lastKnownGood } = loading;
    const saved = await lastKnownGood?.load(name, settings.servers);
    if (typeof saved === 'object') {
      const result = savedResult(saved, failure.reason);
      const last = { name: describeEnvironment(name), server: saved.server, result };
      return { ...result, accept: () => this.remember(last) };
    }
    const reason = [failure.reason, ...(saved === undefined ? [] : [saved])].join('; ');
    if (settings.failFast) {
      const attempts = settings.maxAttempts === 1 ? '' : ` in ${settings.maxAttempts} attempts`;
      const remedy = `start one, or set ${keyOf('fail-fast')}=false to go on without`;
      const message = `names no server that answers${attempts}: ${reason}; ${remedy}`;
      return failWith({ key: keyOf('url'), message });
    }
    const { last } = this;
    if (last === undefined) {
      log.warn({ reason }, 'no config server answers; continuing without its settings');
      return NOTHING;
    }
    const { name: environment, server } = last;
    log.warn(
      { reason, environment, server },
      'no config server answers; its last answer stays in use',
    );
    return last.result;
  }

  /** Also if the settings of the server are invalid, which the caller reports. */
  private notConfigured(): SourceResult {
    const isInUse = false;
    if (this.last === undefined) return { ...NOTHING, isInUse };
    return { ...NOTHING, isInUse, accept: () => this.remember(undefined) };
  }

  private remember(last: LastAnswer | undefined): Promise<void> {
    this.last = last;
    return Promise.resolve();
  }
}

function savedResult({ server, time, environment }: SavedAnswer, reason: string): SourceResult {
  const since = time.toISOString();
  const hours = Math.floor((Date.now() - time.getTime()) / HOUR);
  log.warn({ reason, server, since, hours }, 'no config server answers; last known good is used');
  return environmentValues(environment, `${server} at ${since}`);
}

function failWith(found: ReportedViolation): SourceResult {
  return { values: [], violations: [found] };
}
