// Owns the config server as a source of settings: what counts when it answers, and what when it is away.
import { loggerFor } from '@tessera/logging';
import type { Problem, SettingsSource, SourceRequest, SourceResult } from '@tessera/settings';
import { readAuthorities } from './authorities.js';
import { ConfigServerClientSettings, keyOf } from './config-server-client-settings.js';
import { askConfigServers, type Conclusion } from './config-server-requests.js';
import { describeEnvironment, type EnvironmentName } from './environment-name.js';
import { environmentValues } from './environment-values.js';
import { SavedEnvironment, type KeptAnswer } from './saved-environment.js';

const log = loggerFor('settings');

const HOUR = 3_600_000;
const LAST_KNOWN_GOOD = keyOf('last-known-good');
const NOTHING: SourceResult = { values: [], problems: [] };

type Answered = Exclude<Conclusion, { fault: unknown }>;
type Unanswered = Extract<Conclusion, { fault: unknown }>;

/** What one loading has to do with. */
interface Loading {
  readonly settings: ConfigServerClientSettings;
  readonly name: EnvironmentName;
  /** Absent where no last answer is to be kept. */
  readonly lastKnownGood: SavedEnvironment | undefined;
  /** Whether nothing may be written. */
  readonly readsOnly: boolean;
}

/** What the servers gave last and was found valid. */
interface Last {
  readonly name: string;
  readonly server: string;
  readonly result: SourceResult;
}

export class ConfigServerSource implements SettingsSource {
  /** What came once is not forgotten because the server is away at a reload. */
  private last: Last | undefined;

  async load(request: SourceRequest): Promise<SourceResult> {
    const settings = request.group(ConfigServerClientSettings);
    if (!settings || settings.urls.length === 0) return this.without();
    const { applicationName: application, profiles, keys, readsOnly = false } = request;
    const name = { application, profiles, label: settings.label };
    const authorities = settings.caFile === '' ? undefined : await readAuthorities(settings.caFile);
    if (authorities && 'fault' in authorities) {
      return problem({ key: keyOf('ca-file'), message: authorities.fault });
    }
    const path = settings.lastKnownGood;
    const lastKnownGood = path && keys ? await SavedEnvironment.open(path, keys) : undefined;
    if (path && !lastKnownGood) {
      const message = 'needs a key to encrypt the file with: sso.standalone.security.password';
      return problem({ key: LAST_KNOWN_GOOD, message });
    }
    const conclusion = await askConfigServers({ settings, name, ca: authorities?.pem });
    const loading = { settings, name, lastKnownGood, readsOnly };
    if (!('fault' in conclusion)) return this.answered(conclusion, loading);
    const { key, reason: message, isTemporary } = conclusion.fault;
    return isTemporary ? this.doWithout(conclusion, loading) : problem({ key, message });
  }

  private answered({ server, environment, json }: Answered, loading: Loading): SourceResult {
    const result = environmentValues(environment, server);
    if (result.problems.length > 0) return result;
    const { name, lastKnownGood, readsOnly } = loading;
    const accept = async (): Promise<void> => {
      this.last = { name: describeEnvironment(name), server, result };
      if (readsOnly) return;
      const reason = await lastKnownGood?.keep(name, { server, time: new Date(), json });
      if (reason !== undefined) log.warn({ reason }, 'settings of the config server are not kept');
    };
    return { ...result, accept };
  }

  private async doWithout({ fault }: Unanswered, loading: Loading): Promise<SourceResult> {
    const { settings, name, lastKnownGood } = loading;
    const kept = await lastKnownGood?.recall(name, settings.servers);
    if (typeof kept === 'object') {
      const result = recalled(kept, fault.reason);
      const last = { name: describeEnvironment(name), server: kept.server, result };
      return { ...result, accept: () => this.remember(last) };
    }
    const reason = [fault.reason, ...(kept === undefined ? [] : [kept])].join('; ');
    if (settings.failFast) {
      const attempts = settings.maxAttempts === 1 ? '' : ` in ${settings.maxAttempts} attempts`;
      const remedy = `start one, or set ${keyOf('fail-fast')}=false to go on without`;
      const message = `names no server that answers${attempts}: ${reason}; ${remedy}`;
      return problem({ key: keyOf('url'), message });
    }
    const { last } = this;
    if (last === undefined) {
      log.warn({ reason }, 'no config server answers; going on without');
      return NOTHING;
    }
    const { name: environment, server } = last;
    log.warn({ reason, environment, server }, 'no config server answers; its last answer stays');
    return last.result;
  }

  /** Where no settings name a server, or name it wrongly. */
  private without(): SourceResult {
    const isInUse = false;
    if (this.last === undefined) return { ...NOTHING, isInUse };
    return { ...NOTHING, isInUse, accept: () => this.remember(undefined) };
  }

  private remember(last: Last | undefined): Promise<void> {
    this.last = last;
    return Promise.resolve();
  }
}

function recalled({ server, time, environment }: KeptAnswer, reason: string): SourceResult {
  const since = time.toISOString();
  const hours = Math.floor((Date.now() - time.getTime()) / HOUR);
  log.warn({ reason, server, since, hours }, 'no config server answers; last known good is used');
  return environmentValues(environment, `${server} at ${since}`);
}

function problem(found: Problem): SourceResult {
  return { values: [], problems: [found] };
}
