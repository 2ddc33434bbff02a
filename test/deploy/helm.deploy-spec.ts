// The Helm chart: what it refuses, and that Kubernetes takes what it renders.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../support/folders.js';
import { blocksBelow } from './document-code.js';
import { BUILD_TIMEOUT_MS, Helm, isHelmSkipped, KUBERNETES_VERSIONS } from './helm-chart.js';
import { values } from './resources.js';

const MINIMAL = values('minimal');
const VALUES = ['minimal', 'full', 'config-server'];

/** Flags of helm, and the end of the error. */
const FAULTS: readonly [title: string, set: string, error: RegExp][] = [
  [
    'an unknown value',
    'sso.databaze.url=x',
    /at '\/sso': additional properties 'databaze' not allowed/,
  ],
  [
    'a base URL that ends with a slash',
    'sso.baseUrl=https://x.org/cas/',
    /at '\/sso\/baseUrl': .* does not match/,
  ],
  [
    'plain http in production',
    'sso.baseUrl=http://x.org/cas',
    /sso\.baseUrl must be https in profile production/,
  ],
  ['no base URL', 'sso.baseUrl=', /sso\.baseUrl is required/],
  ['no image', 'image.repository=', /image\.repository is required/],
  ['no pods', 'sso.replicas=0', /at '\/sso\/replicas': minimum: got 0, want 1/],
  [
    'a secret in place of its name',
    'sso.database.existingSecret=postgres://u@h/d',
    /at '\/sso\/database\/existingSecret'/,
  ],
  ['a password in the settings', 'sso.settings.a.bind-password=x', /sso\.settings has a password/],
  ['a key of cookies', 'sso.settings.sso\\.login\\.keys=v1.a.b', /sso\.settings has a password/],
  [
    'a token in the settings',
    'settings.vault.token=x',
    /settings has a password, a token or another secret/,
  ],
  [
    'a key in the settings',
    'configServer.enabled=true,configServer.settings.encrypt.key=x',
    /configServer\.settings has a password/,
  ],
  ['a password in a URL', 'settings.url=https://u:p@x.org', /settings has a password/],
  ['metrics for nobody', 'metrics.enabled=true', /metrics\.allowedAddresses is required/],
  [
    'metrics behind a closed policy',
    'metrics.enabled=true,metrics.allowedAddresses={10.0.0.7}',
    /metrics\.allowedFrom is required/,
  ],
  ['a monitor without metrics', 'metrics.serviceMonitor.enabled=true', /needs metrics\.enabled/],
];

const describeIfInstalled = isHelmSkipped() ? describe.skip : describe;

describeIfInstalled('the Helm chart', () => {
  let helm: Helm;

  beforeAll(async () => {
    helm = await Helm.install();
  }, BUILD_TIMEOUT_MS);

  test.each(FAULTS)('refuses %s', (_title, set, error) => {
    const { status, output } = helm.template([...MINIMAL, '--set', set]);
    expect(output).toMatch(error);
    expect(status).toBe(1);
  });

  test.each([['no values', []], ...VALUES.map((name) => [name, values(name)] as const)])(
    'passes the strict linter with %s',
    (_title, args) => {
      expect(helm.lint(...args)).toMatchObject({ status: 0 });
    },
  );

  test.each(VALUES.flatMap((name) => KUBERNETES_VERSIONS.map((version) => [name, version])))(
    'is valid with the values %s in Kubernetes %s',
    (name, version) => {
      const { output } = helm.template(values(name), version);
      expect(helm.conform(output, version)).toEqual({ status: 0, output: '' });
    },
  );

  test('takes the values of docs/deployment.md, each with the first', async () => {
    const folder = await makeFolder();
    const files = await Promise.all(
      blocksBelow('docs/deployment.md', '## Kubernetes', 'yaml').map(async (block, index) => {
        const file = join(folder, `${index}.yaml`);
        await writeFile(file, block);
        return file;
      }),
    );
    const [first = '', ...others] = files.map((file) => `--values=${file}`);
    expect(others).toHaveLength(3);
    for (const more of others) {
      expect(helm.template([first, more])).toMatchObject({ status: 0 });
    }
    await removeFolder(folder);
  });

  test('the schemas refuse a field that Kubernetes does not have', () => {
    const { output } = helm.template(MINIMAL);
    const wrong = output.replace('runAsNonRoot: true', 'runAsNobody: true');
    const { output: faults } = helm.conform(wrong, KUBERNETES_VERSIONS[1]);
    expect(faults).toContain("additional properties 'runAsNobody' not allowed");
  });

  test.each([
    [
      'minimal',
      '',
      [/rollout status deployment\/tessera-sso/, /accept 54 connections/, /There is no ingress/],
    ],
    ['minimal', 'sso.database.existingSecret=', [/WARNING: no Secret is named/]],
    [
      'full',
      'sso.settings.sso=null',
      [/accept 126 connections/, /WARNING: sso.settings does not name the proxies/],
    ],
    [
      'config-server',
      '',
      [/http:\/\/tessera-config-server\.login:8888/, /WARNING: it serves secrets over plain HTTP/],
    ],
  ])('the notes after an installation with the values %s, %s', async (name, set, lines) => {
    const notes = await helm.notes([...values(name), '--set', set]);
    for (const line of lines) expect(notes).toMatch(line);
    if (set === '' && name === 'full') expect(notes).not.toContain('WARNING');
  });
});
