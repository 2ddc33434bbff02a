// schemathesis with both programs: requests that the OpenAPI documents allow and forbid, and all its checks of the answers.
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { RegisteredServiceEntity } from '@tessera/services';
import { startConfigServerNode } from '../support/config-server-node.js';
import { createTestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { http } from '../support/http.js';
import { Program } from '../support/process.js';
import { registerApp, startNode } from '../support/sso-node.js';
import {
  siblingFile,
  INSTALL_TIMEOUT_MS,
  installByPip,
  installClient,
  isSkipped,
  PYTHON_TOOLS,
  type ClientPackage,
} from './installation.js';

const SCHEMATHESIS: ClientPackage = {
  name: 'schemathesis',
  tools: PYTHON_TOOLS,
  manifest: 'schemathesis-requirements.txt',
  install: installByPip,
};

const DOCUMENTS = {
  sso: 'sso/src/openapi.yaml',
  operator: 'sso/src/operator/openapi.yaml',
  'config-server': 'config-server/src/openapi.yaml',
};

const RUN_TIMEOUT_MS = 240_000;
const TOKEN = 'schemathesis-0123456789abcdef0123456789abcdef';
/** Everything that it may send in a row without being throttled. */
const UNTHROTTLED = 10_000;

const describeIfInstalled = isSkipped(SCHEMATHESIS) ? describe.skip : describe;

describeIfInstalled('schemathesis', () => {
  let installed: string;
  let folder: string;

  beforeAll(async () => {
    [installed, folder] = await Promise.all([installClient(SCHEMATHESIS), makeFolder()]);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => removeFolder(folder));

  /** @returns its report; undefined if it has found nothing */
  async function findings(
    application: keyof typeof DOCUMENTS,
    url: string,
    values: Readonly<Record<string, string>>,
  ): Promise<string | undefined> {
    const config = join(folder, `${application}.toml`);
    await writeFile(
      config,
      filled(await readFile(siblingFile(`schemathesis-${application}.toml`), 'utf8'), values),
    );
    const command = [
      'python3',
      join(installed, 'bin/schemathesis'),
      `--config-file=${config}`,
      'run',
      join(import.meta.dirname, '../../apps', DOCUMENTS[application]),
      `--url=${url}`,
      '--checks=all',
      '--continue-on-failure',
      '--no-color',
    ];
    const options = { cwd: folder, env: { PYTHONPATH: installed, PYTHONUTF8: '1' } };
    const program = Program.run(command, options);
    const { code } = await program.ended;
    return code === 0 ? undefined : program.stdout + program.stderr;
  }

  test.each([
    ['documented', '400'],
    ['apereo', '200'],
  ])(
    'finds nothing in the SSO, in dialect %s',
    async (dialect, FAILED_VALIDATION) => {
      const database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
      await registerApp(database.dataSource);
      const { program, port } = await startNode(
        database.url,
        [`--sso.dialect=${dialect}`, '--sso.throttle.login.enabled=false'],
        { SSO_MANAGEMENT_TOKEN: TOKEN },
      );
      try {
        const url = `http://127.0.0.1:${port}/cas`;
        const form = { username: 'casuser', password: 'Mellon' };
        const { headers } = await http('POST', url, '/v1/tickets', { form });
        const TGT = String(headers.location).split('/').at(-1) ?? '';
        expect(await findings('sso', url, { TGT, TOKEN, FAILED_VALIDATION })).toBeUndefined();
      } finally {
        await program.stop();
        await database.drop();
      }
    },
    RUN_TIMEOUT_MS,
  );

  test(
    "finds nothing in the operator's API",
    async () => {
      const database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
      await registerApp(database.dataSource);
      const management = await freePort();
      const { program } = await startNode(database.url, [`--management.port=${management}`], {
        SSO_MANAGEMENT_TOKEN: TOKEN,
      });
      try {
        expect(
          await findings('operator', `http://127.0.0.1:${management}`, { TOKEN }),
        ).toBeUndefined();
      } finally {
        await program.stop();
        await database.drop();
      }
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'finds nothing in the config server',
    async () => {
      const { program, url } = await startConfigServerNode(
        folder,
        await configServerSettings(folder),
      );
      try {
        expect(await findings('config-server', url, { TOKEN })).toBeUndefined();
      } finally {
        await program.stop();
      }
    },
    RUN_TIMEOUT_MS,
  );
});

/** schemathesis itself reads no variables in some places. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** One client with all permissions, an RSA key and a webhook. */
async function configServerSettings(folder: string): Promise<readonly string[]> {
  const permissions = ['read', 'files', 'encrypt', 'decrypt', 'refresh'];
  const client = { 'token-hash': sha256(TOKEN), applications: '*', permissions };
  const repository = join(folder, 'repository');
  await mkdir(repository);
  await writeFile(join(repository, 'orders-prod.yml'), 'orders: { page-size: 100 }\n');
  await writeFile(join(repository, 'nginx.conf'), 'worker_processes 2;\n');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(folder, 'key.pem');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return [
    `--config-server.clients=${JSON.stringify({ schemathesis: client })}`,
    `--config-server.native.location=${repository}`,
    `--config-server.throttle.threshold=${UNTHROTTLED}`,
    `--config-server.throttle.address-threshold=${UNTHROTTLED}`,
    '--config-server.git.webhook-secret=0123456789abcdef',
    `--encrypt.key-files=${key}`,
  ];
}
