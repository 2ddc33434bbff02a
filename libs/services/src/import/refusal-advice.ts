// Advice on a refused service file: the service that gets its URLs, and how to write its pattern for RE2.
import type { ServiceSnapshot } from '../matching/service-snapshot.js';
import type { ServiceDefinition } from '../registered-service.js';
import type { ServiceImport } from '../registry/service-import-plan.js';
import type { Refusal } from './apereo-service.js';
import { hasLookAround, sampleUrls, splitLookAhead } from './unsupported-pattern.js';

const PACKAGE = 'org.apereo.cas.services';
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:./i;
const TOO_BROAD =
  'the exception closes every URL that it matches, those of other services too: narrow it first';

type RefusedService = Pick<ServiceDefinition, 'serviceId' | 'name' | 'evaluationOrder'>;

const MAY_CLOSE = 'it may close its URLs, or restrict them: without it, they may be open';

/**
 * Lines for an administrator.
 * @param snapshot the services without the refused one
 * @param closing the service that the import stores in its place
 */
export function adviceOn(
  { service, mayClose }: Refusal,
  snapshot: ServiceSnapshot,
  closing?: ServiceImport,
): readonly string[] {
  if (closing !== undefined) return [closed(closing.definition)];
  return [
    ...(mayClose ? [MAY_CLOSE] : []),
    ...(service === undefined ? [] : adviceOnPattern(service, service.serviceId, snapshot)),
  ];
}

function adviceOnPattern(
  service: RefusedService,
  serviceId: string | null,
  snapshot: ServiceSnapshot,
): readonly string[] {
  if (serviceId === null) return [];
  return [...serviceTakingItsUrls(serviceId, snapshot), ...rewriting(service, serviceId)];
}

function closed({ name, evaluationOrder, serviceId }: ServiceDefinition): string {
  return `its URLs stay closed until it is corrected: "${name}" (disabled, order ${evaluationOrder}, pattern ${serviceId})`;
}

function serviceTakingItsUrls(serviceId: string, snapshot: ServiceSnapshot): readonly string[] {
  const samples = sampleUrls(serviceId);
  const taken = samples.map((url) => ({ url, service: snapshot.match(url) }));
  const { url, service } = taken.find((each) => each.service !== undefined) ?? {};
  if (service === undefined) {
    const sample = samples.find((each) => ABSOLUTE_URL.test(each));
    if (sample !== undefined) return [`without it, no service was found for ${sample}`];
    return [
      'without it, its URLs may belong to another service: no example could be made of its pattern',
    ];
  }
  const { name, evaluationOrder, enabled, serviceId: pattern } = service;
  const state = enabled ? 'enabled' : 'disabled';
  return [
    `without it, ${url} belongs to "${name}" (${state}, order ${evaluationOrder}, pattern ${pattern})`,
  ];
}

function rewriting(
  { name, evaluationOrder }: RefusedService,
  serviceId: string,
): readonly string[] {
  const split = splitLookAhead(serviceId);
  if (split !== undefined) {
    const exception = {
      '@class': `${PACKAGE}.RegexRegisteredService`,
      serviceId: split.excluded,
      name: `${name}: exception`,
      evaluationOrder: evaluationOrder - 1,
      accessStrategy: {
        '@class': `${PACKAGE}.DefaultRegisteredServiceAccessStrategy`,
        enabled: false,
      },
    };
    return [
      'write the exception as a service of its own, in another file:',
      JSON.stringify(exception),
      `and in this file: "serviceId": ${JSON.stringify(split.remaining)}`,
      ...(split.isExact ? [] : [TOO_BROAD]),
    ];
  }
  if (!hasLookAround(serviceId)) return [];
  return ['docs/migration.md, "Patterns with look-ahead", shows how to write it'];
}
