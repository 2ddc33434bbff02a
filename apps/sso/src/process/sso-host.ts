// A process of the SSO application: the only one, one of several workers, or their primary process. It owns what outlives an
// application: sockets, metrics and traces.
import cluster from 'node:cluster';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { Change, Reload, ReloadableSettings } from '@tessera/config';
import { poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import {
  ApplicationHost,
  closeManagement,
  Listener,
  type Listeners,
  listenForManagement,
  type Primary,
  urlOf,
} from '@tessera/server';
import type { Tracing } from '@tessera/tracing';
import { SettingsAudit } from '../audit/settings-audit.js';
import { createSso } from './create-sso.js';
import type { SsoParts } from './process-parts.js';
import { nodeId } from './node-id.js';
import { settingsWarnings } from '../settings/settings-warnings.js';
import type { SsoSettings } from '../settings/sso-settings.js';

const log = loggerFor('sso');

export class SsoHost {
  private sockets: Listeners | undefined;
  private host: ApplicationHost<SsoSettings> | undefined;
  private tracing: Tracing | undefined;

  constructor(private readonly settings: ReloadableSettings<SsoSettings>) {}

  /** @throws Error before the start */
  get listeners(): Listeners {
    if (this.sockets === undefined) throw new Error('the process has not started');
    return this.sockets;
  }

  /** Creates an application of new settings beside the current one. @throws errors of the application */
  prepare(settings: SsoSettings): Promise<Change> {
    if (this.host === undefined) throw new Error('the process has not started');
    return this.host.prepare(settings);
  }

  /** Creates the first application, of a process that serves requests. Leaves nothing open when it fails. */
  async start(reload: Reload): Promise<ApplicationHost<SsoSettings>> {
    const { tls, tracing } = this.settings.current;
    const listener = await Listener.create(tls.options());
    const recorded = await this.recordMetrics(listener);
    this.tracing = await openTracing(tracing);
    if (this.tracing) this.tracing.server = listener.server;
    // The management listener of several workers is in their primary process.
    const [readMetrics, primary] = cluster.isWorker
      ? [undefined, process.ppid]
      : [recorded?.read, undefined];
    const servesRequests = true;
    return this.open({ reload, listener, readMetrics, nodeId: nodeId(primary), servesRequests });
  }

  /** Creates the first application of the primary process, which tries settings for the workers, and serves operators. */
  async startPrimary(reload: Reload): Promise<Primary> {
    const { managementServer } = this.settings.current;
    const recorded = managementServer.isOn ? (await recordedMetrics()).ofPrimary() : undefined;
    const listener = await Listener.create();
    const host = await this.open({
      reload,
      listener,
      readMetrics: recorded?.read,
      nodeId: nodeId(process.pid),
      servesRequests: false,
    });
    const { management } = this.listeners;
    try {
      await listenForManagement(management, managementServer);
    } catch (error) {
      await host.close();
      throw error;
    }
    return {
      management: management && urlOf(managementServer),
      close: async () => {
        closeManagement(this.listeners);
        await host.close();
      },
    };
  }

  async closeTracing(): Promise<void> {
    await this.tracing?.close();
  }

  private async open(
    parts: Omit<SsoParts, 'explain' | 'isFirst'> & { readonly listener: Listener },
  ): Promise<ApplicationHost<SsoSettings>> {
    const { listener } = parts;
    const management = parts.readMetrics && (await Listener.create());
    this.sockets = { public: listener, management };
    const explain = () => this.settings.explain();
    const host = new ApplicationHost<SsoSettings>(
      (settings, isFirst) => createSso(settings, { ...parts, explain, isFirst }),
      this.sockets,
    );
    this.host = host;
    await this.settings.guard(() => host.start(this.settings.current));
    this.warn();
    this.settings.onCommit((changes, before) => {
      this.warn(before);
      if (changes.changed.length === 0 && changes.files === undefined) return;
      host.application
        .get(SettingsAudit, { strict: false })
        .record(changes, before.audit.isEnabled);
    });
    return host;
  }

  /** Once for all processes of the node. */
  private warn(before?: SsoSettings): void {
    if (cluster.isWorker) return;
    for (const warning of settingsWarnings(this.settings.current, before)) log.warn({}, warning);
  }

  /** Records from now on, so that nothing of the first application is missing. */
  private async recordMetrics(listener: Listener) {
    if (!this.settings.current.managementServer.isOn) return undefined;
    const metrics = await recordedMetrics();
    return metrics.ofRequests(listener, () =>
      this.host?.hasStarted === true ? poolIn(this.host.application) : undefined,
    );
  }
}

function poolIn(app: NestExpressApplication): Pool {
  return poolOf(app.get<DataSource>(getDataSourceToken(), { strict: false }));
}

async function recordedMetrics() {
  return (await import('../metrics/recorded-metrics.js')).RecordedMetrics;
}

/** Undefined without traces, whose code is then not loaded. */
async function openTracing(settings: SsoSettings['tracing']): Promise<Tracing | undefined> {
  if (!settings.isEnabled) return undefined;
  const { openSsoTracing } = await import('../tracing/sso-tracing.js');
  return openSsoTracing(settings);
}
