// HAProxy in front of nodes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { HAPROXY = '/usr/sbin/haproxy' } = process.env;

export class HaProxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** Returns when a node answers through it. @param port of 127.0.0.1 @param ports of the nodes */
  static async start(port: number, ports: readonly number[]): Promise<HaProxy> {
    const folder = await mkdtemp(join(tmpdir(), 'tessera-bench-haproxy-'));
    const file = join(folder, 'haproxy.cfg');
    const servers = ports.map((each) => `  server n${each} 127.0.0.1:${each}\n`).join('');
    await writeFile(
      file,
      `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend public
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
${servers}`,
    );
    const child = spawn(HAPROXY, ['-W', '-q', '-f', file], { stdio: 'ignore' });
    const proxy = new HaProxy(child, folder, port);
    await proxy.untilListening();
    return proxy;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
    await rm(this.folder, { recursive: true });
  }

  private async untilListening(): Promise<void> {
    const url = `http://127.0.0.1:${this.port}/cas/health/live`;
    while (this.child.exitCode === null) {
      const isUp = await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
    }
    throw new Error('HAProxy did not start');
  }
}
