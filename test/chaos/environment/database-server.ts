// A server of PostgreSQL on a machine and a disk of its own.
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { PostgresServer, type ServerOptions } from '../../support/postgres-server.js';
import type { DatabaseMember, Machine } from '../target.js';
import type { ServerDisk } from './disk.js';
import type { Network, Place } from './network.js';

const SETTINGS = [
  'max_connections=100',
  'max_wal_size=128MB',
  'wal_keep_size=64MB',
  // A peer that is gone is noticed soon.
  'wal_sender_timeout=3s',
  'wal_receiver_timeout=3s',
];

export class DatabaseServer extends PostgresServer implements DatabaseMember {
  readonly name: string;
  readonly machine: Machine;

  private constructor(
    { place, network, disk }: { place: Place; network: Network; disk: ServerDisk },
    options: ServerOptions,
    port: number,
  ) {
    super(options, port);
    let undoSlow = (): Promise<void> => Promise.resolve();
    const { full, slow } = disk;
    this.name = place.name;
    this.machine = {
      partition: network.canFail ? () => network.partition(place) : undefined,
      lose: network.canFail ? (percent) => network.lose(place, percent) : undefined,
      reconnect: () => network.reconnect(place),
      fillDisk: full && (() => full.fill()),
      freeDisk: async () => full?.free(),
      slowDisk:
        slow &&
        (async () => {
          undoSlow = await slow(this.pids);
        }),
      hastenDisk: () => undoSlow(),
    };
  }

  static async on(network: Network, place: Place, disk: ServerDisk): Promise<DatabaseServer> {
    const { address: host, prefix } = place;
    const options = { data: join(disk.folder, 'data'), host, prefix, settings: SETTINGS };
    return new DatabaseServer({ place, network, disk }, options, await freePort());
  }
}
