// Definitions of services in the editor.
import type { Definition, Service } from '../api/answers.js';

export const NEW_SERVICE: Definition = {
  serviceId: '',
  name: '',
  description: '',
  evaluationOrder: 1_000,
  enabled: true,
  ssoEnabled: true,
  requiredAttributes: {},
  attributeRelease: { kind: 'none' },
  usernameAttribute: { kind: 'principal' },
  proxyPolicy: { kind: 'refuse' },
  logoutType: 'none',
  logoutUrl: null,
  properties: {},
};

export function definitionOf({ id: _id, ...definition }: Service): Definition {
  return definition;
}

/** The names in a text with one on each line. */
export function namesIn(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
