// Owns reading docker-compose.yml, as much of it as the same programs need without containers. Whether it is a valid
// compose file is asked by test/stack.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { parse } from 'yaml';

export interface Service {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** Port in the container → port of this machine. */
  readonly ports: ReadonlyMap<number, number>;
  /** Names of services that have to be ready, or through, before this one starts. */
  readonly dependsOn: readonly string[];
  /** Whether others wait for its end. */
  readonly isOneShot: boolean;
  /** Whether it is started again when it fails. */
  readonly restarts: boolean;
}

interface Mount {
  /** Of this machine, absolute. */
  readonly source: string;
  readonly target: string;
}

interface WrittenService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly restart?: 'on-failure';
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

/** @param path paths in the file are taken from `folder` */
export function readComposeFile(path: string, folder: string): readonly Service[] {
  const { services } = parse(readFileSync(path, 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, WrittenService>>;
  };
  const conditions = Object.values(services).flatMap((each) =>
    Object.entries(each.depends_on ?? {}),
  );
  return Object.entries(services).map(([name, written]) => ({
    name,
    image: written.image,
    command: written.command ?? [],
    environment: written.environment ?? {},
    mounts: (written.volumes ?? []).flatMap((volume) => mountIn(volume, folder)),
    ports: new Map((written.ports ?? []).map(portsIn)),
    dependsOn: Object.keys(written.depends_on ?? {}),
    isOneShot: conditions.some(
      ([on, { condition }]) => on === name && condition === 'service_completed_successfully',
    ),
    restarts: written.restart === 'on-failure',
  }));
}

/** Nothing for a volume with a name: what it holds is a program's own affair. */
function mountIn(volume: string, folder: string): readonly Mount[] {
  const [source = '', target = ''] = volume.split(':');
  return source.startsWith('.') ? [{ source: resolve(folder, source), target }] : [];
}

/** `127.0.0.1:8080:8080` */
function portsIn(written: string): readonly [number, number] {
  const [, published, container] = written.split(':');
  return [Number(container), Number(published)];
}
