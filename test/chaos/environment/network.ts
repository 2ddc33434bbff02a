// Machines as network namespaces on a bridge. That needs root, `ip` and `nft`; without them all is on 127.0.0.1.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Of the bridge; documentation addresses, which nobody routes. @see RFC 5737 */
const SUBNET = '198.51.100';
const TABLE = 'inet chaos';

/** A machine in the network. */
export interface Place {
  readonly name: string;
  readonly address: string;
  /** The words before a command that run it there. */
  readonly prefix: readonly string[];
}

export interface Network {
  readonly canFail: boolean;
  /** Address of this machine for the others. */
  readonly ownAddress: string;
  add(name: string): Promise<Place>;
  partition(place: Place): Promise<void>;
  lose(place: Place, percent: number): Promise<void>;
  reconnect(place: Place): Promise<void>;
  close(): Promise<void>;
}

class Namespaces implements Network {
  readonly canFail = true;
  readonly ownAddress = `${SUBNET}.1`;
  private readonly bridge = `chaos${process.pid}`;
  private readonly places: string[] = [];

  async open(): Promise<void> {
    await ip(`link add ${this.bridge} type bridge`);
    await ip(`addr add ${this.ownAddress}/24 dev ${this.bridge}`);
    await ip(`link set ${this.bridge} up`);
    await ip(`netns list`);
  }

  async add(name: string): Promise<Place> {
    const number = this.places.length + 10;
    const namespace = `${this.bridge}-${name}`;
    const [outer, inner] = [`c${process.pid}o${number}`, `c${process.pid}i${number}`];
    this.places.push(namespace);
    await ip(`netns add ${namespace}`);
    await ip(`link add ${outer} type veth peer name ${inner} netns ${namespace}`);
    await ip(`link set ${outer} master ${this.bridge} up`);
    const address = `${SUBNET}.${number}`;
    await ip(`-n ${namespace} addr add ${address}/24 dev ${inner}`);
    await ip(`-n ${namespace} link set ${inner} up`);
    await ip(`-n ${namespace} link set lo up`);
    return { name, address, prefix: ['ip', 'netns', 'exec', namespace] };
  }

  partition(place: Place): Promise<void> {
    return filter(place, 'drop');
  }

  lose(place: Place, percent: number): Promise<void> {
    return filter(place, `numgen random mod 100 < ${percent} drop`);
  }

  async reconnect({ prefix }: Place): Promise<void> {
    await execute([...prefix, 'nft', 'delete', 'table', ...TABLE.split(' ')]).catch(() => {});
  }

  async close(): Promise<void> {
    for (const namespace of this.places) await ip(`netns del ${namespace}`);
    await ip(`link del ${this.bridge}`);
  }
}

/** Everything on 127.0.0.1. */
class Loopback implements Network {
  readonly canFail = false;
  readonly ownAddress = '127.0.0.1';

  add(name: string): Promise<Place> {
    return Promise.resolve({ name, address: this.ownAddress, prefix: [] });
  }

  partition = unavailable;
  lose = unavailable;
  reconnect = (): Promise<void> => Promise.resolve();
  close = (): Promise<void> => Promise.resolve();
}

/** Namespaces if they are possible here. */
export async function openNetwork(): Promise<Network> {
  const namespaces = new Namespaces();
  try {
    await namespaces.open();
    await execute(['nft', '--version']);
    return namespaces;
  } catch {
    await namespaces.close().catch(() => {});
    return new Loopback();
  }
}

/** Applies a rule to what a machine sends and receives, its own traffic excepted. */
async function filter({ prefix }: Place, rule: string): Promise<void> {
  const chains = ['input', 'output'].map((hook) => {
    const device = hook === 'input' ? 'iifname' : 'oifname';
    return `chain ${hook} {\n type filter hook ${hook} priority 0;\n ${device} != "lo" ${rule}\n}`;
  });
  const script = `table ${TABLE} {\n${chains.join('\n')}\n}`;
  await execute([...prefix, 'nft', script]);
}

async function ip(command: string): Promise<void> {
  await execute(['ip', ...command.split(' ')]);
}

async function execute([program = '', ...args]: readonly string[]): Promise<void> {
  await run(program, args);
}

function unavailable(): Promise<void> {
  return Promise.reject(new Error('the network cannot fail here'));
}
