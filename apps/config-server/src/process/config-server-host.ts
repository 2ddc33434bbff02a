// The applications of a process, one after the other, and the counts that outlive them.
import type { ReloadableSettings } from '@tessera/config';
import { ApplicationHost, type Listeners, type ProcessParts } from '@tessera/server';
import { MemoryFailureStore, MemoryRequestRateStore } from '@tessera/throttling';
import { ConfigAudit } from '../audit/config-audit.js';
import { createConfigServer } from './create-config-server.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';

export interface HostOptions extends Pick<ProcessParts, 'reload' | 'readMetrics'> {
  readonly listeners: Listeners;
}

/** Records every reload in the audit trail. The caller starts it. */
export function hostConfigServer(
  settings: ReloadableSettings<ConfigServerSettings>,
  { reload, listeners, readMetrics }: HostOptions,
): ApplicationHost<ConfigServerSettings> {
  const parts = {
    reload,
    explain: () => settings.explain(),
    listener: listeners.public,
    readMetrics,
    failedLogins: new MemoryFailureStore(),
    requestRates: new MemoryRequestRateStore(),
  };
  const host = new ApplicationHost<ConfigServerSettings>(
    (next, isFirst) => createConfigServer(next, { ...parts, isFirst }),
    listeners,
  );
  settings.onCommit((changes, before) => {
    if (changes.changed.length === 0 && changes.files === undefined) return;
    host.application.get(ConfigAudit, { strict: false }).recordReload(changes, before.storesAudit);
  });
  return host;
}
