// What the Helm chart renders is safe by default, and its parts agree with each other.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { BUILD_TIMEOUT_MS, Helm, isHelmSkipped } from './helm-chart.js';
import { deploymentOf, find, isDeployment, type Resource, values } from './resources.js';

const MINIMAL = values('minimal');

const describeIfInstalled = isHelmSkipped() ? describe.skip : describe;

describeIfInstalled('the documents of the Helm chart', () => {
  let helm: Helm;
  let full: readonly Resource[];

  beforeAll(async () => {
    helm = await Helm.install();
    full = helm.resources(...values('full'));
  }, BUILD_TIMEOUT_MS);

  test('renders no Secret, and no value of one', () => {
    expect(full.map(({ kind }) => kind)).not.toContain('Secret');
  });

  test('every pod runs as Pod Security "restricted" demands, on a read-only root', () => {
    const deployments = full.filter(isDeployment);
    expect(deployments).toHaveLength(2);
    for (const { spec } of deployments) {
      expect(spec.template.spec).toMatchObject({
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            resources: { requests: expect.anything(), limits: { memory: '512Mi' } },
          },
        ],
      });
    }
  });

  test('an autoscaler decides alone how many pods there are', () => {
    expect(deploymentOf(full, 'sso').spec.replicas).toBeUndefined();
    expect(deploymentOf(full, 'config-server').spec.replicas).toBe(2);
    expect(find(full, 'HorizontalPodAutoscaler').spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'login-sso' },
      minReplicas: 2,
      maxReplicas: 6,
    });
  });

  test('a pod has its time to stop after its drain time', () => {
    const [deployment] = helm.resources(...MINIMAL, '--set', 'drainSeconds=7').filter(isDeployment);
    expect(deployment?.spec.template.spec).toMatchObject({
      terminationGracePeriodSeconds: 22,
      containers: [{ env: expect.arrayContaining([{ name: 'SERVER_DRAIN_TIME', value: '7s' }]) }],
    });
  });

  test.each([
    ['https://login.example.org/cas', '/cas/health/', '/cas'],
    ['https://login.example.org/a/b', '/a/b/health/', '/a/b'],
    ['https://login.example.org', '/health/', '/'],
  ])('probes and ingress follow the base URL %s', (baseUrl, health, path) => {
    const set = `sso.ingress.enabled=true,sso.baseUrl=${baseUrl}`;
    const resources = helm.resources(...MINIMAL, '--set', set);
    const [container] = deploymentOf(resources, 'sso').spec.template.spec.containers;
    const { startupProbe, livenessProbe, readinessProbe } = container;
    expect(startupProbe.httpGet).toEqual({ path: `${health}live`, port: 'http' });
    expect(livenessProbe.httpGet).toEqual({ path: `${health}live`, port: 'http' });
    expect(readinessProbe.httpGet).toEqual({ path: `${health}ready`, port: 'http' });
    expect(find(resources, 'Ingress').spec).toMatchObject({
      rules: [{ host: 'login.example.org', http: { paths: [{ path, pathType: 'Prefix' }] } }],
    });
  });

  test('probes use HTTPS where the pods do', () => {
    const [container] = deploymentOf(full, 'config-server').spec.template.spec.containers;
    expect(container.readinessProbe.httpGet).toMatchObject({ scheme: 'HTTPS' });
  });

  test('without metrics, no port, Service or policy leads to the management server', () => {
    const resources = helm.resources(...MINIMAL);
    const [container] = deploymentOf(resources, 'sso').spec.template.spec.containers;
    expect(container.ports).toEqual([{ name: 'http', containerPort: 8080 }]);
    expect(container.env.map(({ name }) => name)).not.toContain('MANAGEMENT_HOST');
    expect(resources.filter(({ kind }) => kind === 'Service')).toHaveLength(1);
    expect(find(resources, 'NetworkPolicy').spec).toMatchObject({
      ingress: [{ ports: [{ port: 'http' }] }],
    });
  });

  test('with metrics, only the named peers reach the management port, by a Service of its own', () => {
    const services = full.filter(({ kind }) => kind === 'Service');
    expect(services.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'login-config-server',
      'login-config-server-management',
      'login-sso',
      'login-sso-management',
    ]);
    expect(find(full, 'Service', 'login-sso').spec).toMatchObject({ ports: [{ name: 'http' }] });
    expect(find(full, 'NetworkPolicy', 'login-config-server').spec).toMatchObject({
      policyTypes: ['Ingress'],
      ingress: [
        { ports: [{ port: 'http' }], from: [{ podSelector: {} }] },
        {
          ports: [{ port: 'management' }],
          from: [
            { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
          ],
        },
      ],
    });
  });

  test('credentials are files named for settings, whatever the key of the Secret', () => {
    expect(deploymentOf(full, 'sso').spec.template.spec.volumes).toContainEqual({
      name: 'credentials',
      projected: {
        defaultMode: 0o440,
        sources: [
          { secret: { name: 'tessera-sso' } },
          { secret: { name: 'cluster-app', items: [{ key: 'uri', path: 'database.url' }] } },
        ],
      },
    });
  });

  test('large numbers in settings stay whole', () => {
    const { data } = find(full, 'ConfigMap', 'login-sso');
    expect(data?.['sso.yml']).toContain('accounts.argon2.memory: 262144\n');
  });

  test('a changed setting replaces the pods', () => {
    const annotations = ['1', '2'].map((value) => {
      const set = `settings.database.pool-size=${value}`;
      return JSON.stringify(deploymentOf(helm.resources(...MINIMAL, '--set', set), 'sso').spec);
    });
    expect(annotations[0]).not.toBe(annotations[1]);
  });

  test('monitors have the names of jobs that the rules have, and the fields of their kinds', async () => {
    const [sso] = full.filter(({ kind }) => kind === 'ServiceMonitor');
    expect(sso?.spec).toMatchObject({
      endpoints: [
        { port: 'management', relabelings: [{ targetLabel: 'job', replacement: 'tessera-sso' }] },
      ],
    });
    const rules = find(full, 'PrometheusRule');
    expect(rules.spec).toEqual(
      parse(await readFile('deploy/prometheus/tessera-rules.yml', 'utf8')),
    );
    for (const resource of full.filter(({ kind }) =>
      /^(?:ServiceMonitor|PrometheusRule)$/.test(kind),
    )) {
      expect(helm.monitoring(resource)).toEqual({ status: 0, output: '' });
      expect(helm.monitoring({ ...resource, spec: { other: 1 } })).toMatchObject({ status: 1 });
    }
  });
});
