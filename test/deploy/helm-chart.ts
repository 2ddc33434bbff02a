// Renders the Helm chart, and checks documents with kubeconform and with the types of the Prometheus operator.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import {
  type ClientPackage,
  installClient,
  isSkipped,
  PYTHON_TOOLS,
} from '../clients/installation.js';
import type { Resource } from './resources.js';

const CHART = 'deploy/helm/tessera';
/** The oldest that the chart takes, and the newest whose schemas there are. */
export const KUBERNETES_VERSIONS = ['1.30.0', '1.37.0'] as const;

/** Helm takes minutes to build. */
export const BUILD_TIMEOUT_MS = 900_000;

const TOOLS = join(import.meta.dirname, 'tools');

const GO_PROGRAMS: ClientPackage = {
  name: 'helm',
  // The second fails where Go is too old.
  tools: [
    ['go', 'version'],
    ['go', '-C', TOOLS, 'list', '-m'],
  ],
  manifest: join(TOOLS, 'go.mod'),
  sources: [join(TOOLS, 'go.sum'), join(TOOLS, 'monitoring/main.go')],
  install: (_manifest, folder) => {
    const build = ['go', '-C', TOOLS, 'install', '-trimpath', 'tool', './monitoring'] as const;
    return ['env', `GOBIN=${folder}`, 'CGO_ENABLED=0', 'GOFLAGS=-mod=readonly', ...build];
  },
};

/** The package has its schemas refer to each other by addresses of the web. */
const INSTALL_SCHEMAS = `
python3 -m pip install --quiet --root-user-action=ignore --no-deps --target "$1" --requirement "$0"
cd "$1"/kubernetes_validate/kubernetes-json-schema
for version in ${KUBERNETES_VERSIONS.join(' ')}; do
  sed -i 's#"/api/_definitions.json#"_definitions.json#; s#"$id": "[^"]*"#"$comment": ""#' v$version-local-strict/*.json
done`;

const SCHEMAS: ClientPackage = {
  name: 'kubernetes-schemas',
  tools: PYTHON_TOOLS,
  manifest: join(import.meta.dirname, 'kubernetes-schemas.txt'),
  sources: [join(import.meta.dirname, 'helm-chart.ts')],
  install: (manifest, folder) => ['sh', '-ec', INSTALL_SCHEMAS, manifest, folder],
};

/** Whether Go or Python is missing; prints a line if so. */
export const isHelmSkipped = (): boolean => isSkipped(GO_PROGRAMS) || isSkipped(SCHEMAS);

export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

export class Helm {
  private constructor(
    private readonly programs: string,
    private readonly schemas: string,
  ) {}

  static async install(): Promise<Helm> {
    return new Helm(await installClient(GO_PROGRAMS), await installClient(SCHEMAS));
  }

  lint(...args: readonly string[]): Outcome {
    return this.run('helm', ['lint', '--strict', CHART, ...args]);
  }

  /** @param kubernetes the version of the cluster */
  template(
    args: readonly string[],
    kubernetes: string = KUBERNETES_VERSIONS[1],
    chart = CHART,
  ): Outcome {
    const options = ['--namespace', 'login', '--kube-version', kubernetes];
    return this.run('helm', ['template', 'tessera', chart, ...options, ...args]);
  }

  /** @throws Error with the message of helm */
  resources(...args: readonly string[]): readonly Resource[] {
    const { status, output } = this.template(args);
    if (status !== 0) throw new Error(output);
    return parseAllDocuments(output)
      .map((document) => document.toJS() as Resource | null)
      .filter((resource) => resource !== null);
  }

  /** What an installation prints at its end. Only a cluster makes helm print it, so a template includes it. */
  async notes(args: readonly string[]): Promise<string> {
    const copy = await mkdtemp(join(tmpdir(), 'tessera-chart-'));
    try {
      await cp(CHART, copy, { recursive: true });
      const template = 'notes: {{ include "tessera/templates/NOTES.txt" . | toJson }}\n';
      await writeFile(join(copy, 'templates/notes.yaml'), template);
      const only = ['--show-only', 'templates/notes.yaml'];
      const { output } = this.template([...args, ...only], KUBERNETES_VERSIONS[1], copy);
      return (parse(output) as { readonly notes: string }).notes;
    } finally {
      await rm(copy, { recursive: true });
    }
  }

  /** Checks documents against the schemas of Kubernetes; other kinds are left out. */
  conform(documents: string, kubernetes: string): Outcome {
    const folder = `${this.schemas}/kubernetes_validate/kubernetes-json-schema`;
    const file = '{{.NormalizedKubernetesVersion}}-local-strict/{{.ResourceKind}}{{.KindSuffix}}';
    const location = ['-schema-location', `${folder}/${file}.json`];
    const options = ['-strict', '-skip', 'ServiceMonitor,PrometheusRule'];
    const args = [...options, ...location, '-kubernetes-version', kubernetes];
    return this.run('kubeconform', args, documents);
  }

  /** Checks a ServiceMonitor or PrometheusRule. */
  monitoring(resource: Resource): Outcome {
    return this.run('monitoring', [], JSON.stringify(resource));
  }

  private run(program: string, args: readonly string[], input = ''): Outcome {
    // No files of the user, and no cluster.
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
    const options = { env, input, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(join(this.programs, program), args, options);
    return { status, output: status === 0 ? stdout : `${stderr}${stdout}` };
  }
}
