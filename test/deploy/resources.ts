// The documents that the Helm chart renders, and how tests find one.
import { join } from 'node:path';

/** A document of Kubernetes, of any kind. */
export interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: unknown;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly scheme?: string };
}

/** What the tests read of a Deployment. */
export interface Deployment extends Resource {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: PodSpec };
  };
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly object[];
  readonly terminationGracePeriodSeconds: number;
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

export const isDeployment = (resource: Resource): resource is Deployment =>
  resource.kind === 'Deployment';

/** Flags of helm for a file in the folder `values`. */
export function values(name: string): readonly string[] {
  return ['--values', join(import.meta.dirname, 'values', `${name}.yaml`)];
}

/** @param name needed where there are several of the kind */
export function find(resources: readonly Resource[], kind: string, name?: string): Resource {
  const found = resources.find(
    (each) => each.kind === kind && (name === undefined || each.metadata.name === name),
  );
  if (found === undefined) throw new Error(`there is no ${kind} ${name ?? ''}`);
  return found;
}

export function deploymentOf(resources: readonly Resource[], component: string): Deployment {
  const found = resources
    .filter(isDeployment)
    .find(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === component);
  if (found === undefined) throw new Error(`there is no Deployment of ${component}`);
  return found;
}
