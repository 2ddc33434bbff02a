// The programs start with what the Helm chart gives to their containers, in profile production.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { endPrograms, Program } from '../support/process.js';
import { until } from '../support/until.js';
import { BUILD_TIMEOUT_MS, Helm, isHelmSkipped } from './helm-chart.js';
import { deploymentOf, find, type Resource, values } from './resources.js';

/** The hash of some token. */
const TOKEN_HASH = 'sha256:4d9e90f184f501fc93fcd9a442cb7cf68ea9f34acb091ad25206e2f591e49e81';
const CLIENTS = {
  orders: { 'token-hash': TOKEN_HASH, applications: ['orders'], permissions: ['read'] },
};

const describeIfInstalled = isHelmSkipped() ? describe.skip : describe;

describeIfInstalled('containers of the Helm chart', () => {
  let helm: Helm;
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    helm = await Helm.install();
    database = await createTestDatabase();
    folder = await makeFolder();
    const secret = join(folder, 'credentials/..data');
    await mkdir(secret, { recursive: true });
    await writeFile(join(secret, 'database.url'), database.url, { mode: 0o440 });
    // As Kubernetes mounts a Secret.
    await symlink('..data/database.url', join(folder, 'credentials/database.url'));
  }, BUILD_TIMEOUT_MS);
  afterAll(async () => {
    await endPrograms();
    await database?.drop();
    if (folder !== undefined) await removeFolder(folder);
  });

  /** The environment of a container, with the folder in place of its mounts and any free port. */
  async function environmentOf(resources: readonly Resource[], component: string) {
    const settings = join(folder, component);
    await mkdir(settings, { recursive: true });
    const configMap = find(resources, 'ConfigMap', `tessera-${component}`);
    for (const [name, text] of Object.entries(configMap.data ?? {})) {
      await writeFile(join(settings, name), text);
    }
    const { env } = deploymentOf(resources, component).spec.template.spec.containers[0];
    return Object.fromEntries(
      env.map(({ name, value }) => [
        name,
        name.endsWith('_PORT')
          ? '0'
          : value.replace('/etc/tessera/settings', settings).replace('/etc/tessera', folder),
      ]),
    );
  }

  test.each([
    ['sso', 'minimal', {}],
    ['config-server', 'config-server', { 'config-server.clients': CLIENTS }],
  ])(
    'the application %s becomes ready, and ends within its time',
    async (component, name, added) => {
      const settings = `${component === 'sso' ? 'sso' : 'configServer'}.settings=${JSON.stringify(added)}`;
      const resources = helm.resources(...values(name), '--set-json', settings);
      const env = await environmentOf(resources, component);
      const { containers, terminationGracePeriodSeconds } = deploymentOf(resources, component).spec
        .template.spec;
      const program = Program.run([process.execPath, ...containers[0].args], { env });
      const [, port] = await program.waitForOutput(/"port":(\d+),"msg":"listening"/);
      const { path } = containers[0].readinessProbe.httpGet;
      await until('the readiness probe succeeds', async () => {
        const { status } = await http('GET', `http://127.0.0.1:${port}`, path);
        return status === 200;
      });
      expect(env['PROFILES_ACTIVE']).toBe('production');
      const { code, ms } = await program.stop();
      expect(code).toBe(0);
      // The drain time is part of it.
      expect(ms).toBeLessThan(terminationGracePeriodSeconds * 1000);
    },
  );

  test('the command line has the database of the container', async () => {
    const env = await environmentOf(helm.resources(...values('minimal')), 'sso');
    const program = Program.start('cli', ['service', 'list'], { env });
    expect(await program.ended).toMatchObject({ code: 0 });
  });
});
