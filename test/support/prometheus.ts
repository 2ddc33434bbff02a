// Runs Prometheus (Debian's package) on a free port of 127.0.0.1, and its tool promtool.
// Without them, the tests that need them are skipped with a message.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from '@jest/globals';
import { freePort } from './free-port.js';
import { http } from './http.js';
import { until } from './until.js';

const { PATH = '', PROMETHEUS: CONFIGURED_PATH } = process.env;
const USUAL_PATHS = PATH.split(delimiter).map((folder) => join(folder, 'prometheus'));

/** Path of the program; undefined if it is not installed. The variable `PROMETHEUS` overrides it. */
const PROGRAM = (CONFIGURED_PATH === undefined ? USUAL_PATHS : [CONFIGURED_PATH]).find((path) =>
  existsSync(path),
);

/** A result of a query: a series and its value. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** `describe` if Prometheus is installed. Otherwise one test reports that the tests are skipped. */
export function describeWithPrometheus(title: string, tests: () => void): void {
  if (PROGRAM !== undefined) {
    describe(title, tests);
    return;
  }
  test(`left out without Prometheus: ${title}`, () => {
    process.stderr.write(`Prometheus is not installed: the tests of "${title}" are left out\n`);
  });
}

/** Runs promtool. @returns its output where it finds faults, else an empty text */
export function promtool(args: readonly string[], input = ''): string {
  const program = join(dirname(PROGRAM ?? ''), 'promtool');
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}${status}`;
}

export class Prometheus {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  /** @param folder with `prometheus.yml` */
  static async start(folder: string): Promise<Prometheus> {
    if (PROGRAM === undefined) throw new Error('Prometheus is not installed');
    const port = await freePort();
    const args = [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ];
    const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const prometheus = new Prometheus(child, `http://127.0.0.1:${port}`);
    await until('Prometheus is ready', () => prometheus.isReady());
    return prometheus;
  }

  /** @throws Error for an expression that is not valid */
  async query(expression: string): Promise<readonly Sample[]> {
    const { body } = await http('POST', this.url, '/api/v1/query', { form: { query: expression } });
    const { status, error, data } = JSON.parse(body) as {
      readonly status: string;
      readonly error?: string;
      readonly data?: { readonly result: readonly RawSample[] };
    };
    if (status !== 'success') throw new Error(`${expression}: ${error}`);
    return (data?.result ?? []).map(({ metric, value: [, value] }) => ({
      metric,
      value: Number(value),
    }));
  }

  /** The value of an expression with one result; undefined without any. */
  async value(expression: string): Promise<number | undefined> {
    return (await this.query(expression))[0]?.value;
  }

  /** The names of the alerts that fire, sorted. */
  async firing(): Promise<readonly string[]> {
    const alerts = await this.query('ALERTS{alertstate="firing"}');
    return [...new Set(alerts.map(({ metric }) => metric['alertname'] ?? ''))].toSorted();
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }

  private async isReady(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error('Prometheus could not start');
    return http('GET', this.url, '/-/ready').then(
      ({ status }) => status === 200,
      () => false,
    );
  }
}

interface RawSample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}
