// Owns the settings that one Vault gives: which it has, and what to say of those it does not give. Loaded at need.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggerFor } from '@tessera/logging';
import type { Problem, SourceResult, SourceValue } from '@tessera/settings';
import { openVault, type KeyValues, type VaultClient } from '@tessera/vault';
import { pauseAfter } from '../retry.js';
import { plainValue } from './plain-value.js';
import { isPassing, problemOf } from './vault-problems.js';
import type { VaultSettings } from './vault-settings.js';

const log = loggerFor('vault');

type Values = readonly SourceValue[];

/** What became of one path. */
interface Reading {
  readonly path: string;
  readonly values: Values;
  readonly problem?: Problem;
  /** Whether Vault may give them later. */
  readonly isPending: boolean;
}

export class VaultReader {
  private readonly keyValues: KeyValues;
  /** By path, what it gave last and was found valid. */
  private known: ReadonlyMap<string, Values> = new Map();

  private constructor(
    private readonly client: VaultClient,
    private readonly settings: VaultSettings,
  ) {
    this.keyValues = client.keyValues({ mount: settings.mount, version: settings.version });
  }

  /** @throws VaultError VAULT_ENVIRONMENT_UNSAFE, VAULT_FILE_UNREADABLE */
  static async open(
    settings: VaultSettings,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<VaultReader> {
    return new VaultReader(await openVault(settings.access, environment), settings);
  }

  /**
   * Where a fault does not count (`vault.fail-fast=false`), what a path gave last stays in force.
   *
   * @param paths the strongest first; read side by side
   */
  async read(paths: readonly string[]): Promise<SourceResult> {
    const readings = await this.patientReadings(paths);
    const counted = this.settings.failFast ? readings : this.excused(readings);
    return {
      // Of a key given twice the later value counts.
      values: counted.toReversed().flatMap(({ values }) => values),
      problems: distinct(counted.flatMap(({ problem }) => problem ?? [])),
      accept: () => this.remember(counted),
    };
  }

  close(): void {
    this.client.close();
  }

  private async patientReadings(paths: readonly string[]): Promise<readonly Reading[]> {
    let readings = await Promise.all(paths.map((path) => this.readingOf(path)));
    for (let attempt = 1; attempt < this.settings.maxAttempts; attempt += 1) {
      const pending = readings.find(({ isPending }) => isPending);
      if (pending === undefined) break;
      const pause = pauseAfter(attempt, this.settings);
      const reason = pending.problem?.message;
      log.warn({ reason, attempt, pause }, 'Vault gives no settings; asking again');
      await sleep(pause);
      readings = await Promise.all(
        readings.map(async (each) => (each.isPending ? this.readingOf(each.path) : each)),
      );
    }
    return readings;
  }

  private async readingOf(path: string): Promise<Reading> {
    const origin = `vault ${this.settings.mount}/${path}`;
    try {
      const secret = (await this.keyValues.read(path)) ?? {};
      const values = Object.entries(secret).map(([key, value]) => {
        return { key, value: plainValue(value), origin };
      });
      return { path, values, isPending: false };
    } catch (error) {
      const problem = problemOf(error, { settings: this.settings, origin });
      return { path, values: [], problem, isPending: isPassing(error) };
    }
  }

  /** Without problems, which the log tells in one line. */
  private excused(readings: readonly Reading[]): readonly Reading[] {
    const failed = readings.filter(({ problem }) => problem !== undefined);
    if (failed.length > 0) {
      const paths = failed.map(({ path }) => path);
      const reasons = [...new Set(failed.map(({ problem }) => problem?.message))];
      log.warn(
        { paths, reasons },
        'Vault gives no settings; going on without, or with the last ones',
      );
    }
    return readings.map(({ path, values, problem, isPending }) => {
      return { path, values: problem ? (this.known.get(path) ?? []) : values, isPending };
    });
  }

  private remember(readings: readonly Reading[]): Promise<void> {
    this.known = new Map(readings.map(({ path, values }) => [path, values]));
    return Promise.resolve();
  }
}

/** What keeps several paths from being read is told once, of the strongest. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  const first = ({ message }: Problem): number =>
    problems.findIndex((each) => each.message === message);
  return problems.filter((problem, index) => first(problem) === index);
}
