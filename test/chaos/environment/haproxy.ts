// HAProxy in front of the nodes, and between the nodes and PostgreSQL.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { Program } from '../../support/process.js';
import type { Address } from '../target.js';

export const HAPROXY = process.env['HAPROXY'] ?? '/usr/sbin/haproxy';

interface Options {
  readonly folder: string;
  readonly host: string;
  readonly nodes: readonly Address[];
  readonly servers: readonly Address[];
  /** Answers `/primary/<name>` on 127.0.0.1. */
  readonly checkPort: number;
}

export class HaProxy {
  private constructor(
    readonly program: Program,
    /** For requests. */
    readonly port: number,
    /** For connections to the primary. */
    readonly databasePort: number,
  ) {}

  static async start(options: Options): Promise<HaProxy> {
    const [port, databasePort] = [await freePort(), await freePort()];
    const path = join(options.folder, 'haproxy.cfg');
    await writeFile(path, configuration(options, port, databasePort));
    const program = Program.run([HAPROXY, '-db', '-q', '-f', path]);
    return new HaProxy(program, port, databasePort);
  }
}

/** As deploy/haproxy/haproxy.cfg, and the database. */
function configuration(options: Options, port: number, databasePort: number): string {
  const { host, nodes, servers, checkPort } = options;
  const nodeLines = nodes.map((node) => `  server ${node.name} ${node.host}:${node.port} check`);
  const serverLines = servers.flatMap(({ name, host: address, port: own }) => [
    `backend ${name}`,
    '  mode tcp',
    '  timeout server 1h',
    `  option httpchk GET /primary/${name}`,
    `  server ${name} ${address}:${own} check addr 127.0.0.1 port ${checkPort} on-marked-down shutdown-sessions`,
  ]);
  const uses = servers.map(({ name }) => `  use_backend ${name} if { nbsrv(${name}) gt 0 }`);
  return `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout check 1s
  timeout http-request 10s
  timeout http-keep-alive 60s
  timeout client 60s
  timeout server 60s
  default-server inter 200ms fall 2 rise 1
  # A validation spends its ticket, so nothing is sent twice.
  retry-on conn-failure
  option redispatch 1
frontend sso
  bind ${host}:${port}
  http-request set-header X-Forwarded-For %[src]
  http-response set-header X-Node %s
  default_backend nodes
backend nodes
  option httpchk GET /cas/health/ready
${nodeLines.join('\n')}
frontend database
  mode tcp
  timeout client 1h
  bind ${host}:${databasePort}
${uses.join('\n')}
${serverLines.join('\n')}
`;
}
