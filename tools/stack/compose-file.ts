// Reads the parts of a compose file that are needed to run its programs without containers.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { parse } from 'yaml';

export interface Service {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** The service whose network it uses: its own, or that of `network_mode`. */
  readonly network: string;
  /** Port in the container → port of this machine, of its network. */
  readonly ports: ReadonlyMap<number, number>;
  /** Names of services that must be ready, or have completed, before this one starts. */
  readonly dependsOn: readonly string[];
  /** Whether other services wait for its completion. */
  readonly isOneShot: boolean;
  /** Whether it is started again: when it fails, or at each end. */
  readonly restart: Restart;
}

type Restart = 'no' | 'on-failure' | 'always';

interface Mount {
  /** Absolute path on this machine. */
  readonly source: string;
  readonly target: string;
}

interface ServiceYaml {
  readonly image: string;
  readonly command?: readonly string[];
  readonly restart?: Restart;
  readonly network_mode?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

/** @param folder base of relative paths in the file */
export function readComposeFile(path: string, folder: string): readonly Service[] {
  const { services } = parse(readFileSync(path, 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, ServiceYaml>>;
  };
  const conditions = Object.values(services).flatMap((each) =>
    Object.entries(each.depends_on ?? {}),
  );
  return Object.entries(services).map(([name, yaml]) => ({
    name,
    network: networkOf(name, yaml),
    image: yaml.image,
    command: yaml.command ?? [],
    environment: yaml.environment ?? {},
    mounts: (yaml.volumes ?? []).flatMap((volume) => parseMount(volume, folder)),
    ports: new Map((services[networkOf(name, yaml)]?.ports ?? []).map(parsePorts)),
    dependsOn: Object.keys(yaml.depends_on ?? {}),
    isOneShot: conditions.some(
      ([on, { condition }]) => on === name && condition === 'service_completed_successfully',
    ),
    restart: yaml.restart ?? 'no',
  }));
}

function networkOf(name: string, { network_mode: mode }: ServiceYaml): string {
  return /^service:(.*)$/.exec(mode ?? '')?.[1] ?? name;
}

/** Nothing for a named volume, which only the program uses. */
function parseMount(volume: string, folder: string): readonly Mount[] {
  const [source = '', target = ''] = volume.split(':');
  return source.startsWith('.') ? [{ source: resolve(folder, source), target }] : [];
}

/** `127.0.0.1:8080:8080` */
function parsePorts(port: string): readonly [number, number] {
  const [, published, container] = port.split(':');
  return [Number(container), Number(published)];
}
