// Definitions of services in the editor.
import type { Client, Definition, Service } from '../api/answers.js';
import { Problem, type Violation } from '../api/problem.js';

export const NEW_SERVICE: Definition = {
  serviceId: null,
  clientId: null,
  client: null,
  name: '',
  description: '',
  evaluationOrder: 1_000,
  enabled: true,
  expiresAt: null,
  ssoEnabled: true,
  requiredAttributes: {},
  requireAllAttributes: true,
  rejectedAttributes: {},
  unauthorizedRedirectUrl: null,
  attributeRelease: { kind: 'none' },
  defaultAttributes: true,
  releasedValues: {},
  protocolAttributes: true,
  usernameAttribute: { kind: 'principal' },
  proxyPolicy: { kind: 'refuse' },
  responseType: 'redirect',
  serviceTicketLifetime: null,
  proxyTicketLifetime: null,
  logoutType: 'none',
  logoutUrl: null,
  properties: {},
};

export const NEW_CLIENT: Client = {
  redirectUris: [],
  redirectUriPatterns: [],
  postLogoutRedirectUris: [],
  applicationType: 'web',
  tokenEndpointAuthMethod: 'client_secret_basic',
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: ['openid', 'profile', 'email'],
  pkceRequired: true,
  parRequired: false,
  dpopRequired: false,
  idTokenAlgorithm: 'RS256',
  claimsInIdToken: false,
  consent: null,
  jwks: null,
  jwksUri: null,
  accessTokenLifetime: null,
  refreshTokenLifetime: null,
};

export function definitionOf({ id: _id, ...definition }: Service): Definition {
  return definition;
}

/** The names in a text with one on each line. */
function namesIn(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

const linesIn = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '');

/** Without the empty lines of an unfinished text. */
export function withoutEmptyNames({ client, ...others }: Definition): Definition {
  return withoutEmptyAttributes({
    ...others,
    client: client && {
      ...client,
      redirectUris: linesIn(client.redirectUris),
      redirectUriPatterns: linesIn(client.redirectUriPatterns),
      postLogoutRedirectUris: linesIn(client.postLogoutRedirectUris),
      scopes: linesIn(client.scopes),
    },
  });
}

function withoutEmptyAttributes(definition: Definition): Definition {
  const { attributeRelease } = definition;
  const { kind, names, excluded } = attributeRelease;
  if (kind === 'all' && excluded !== undefined) {
    const listed = namesIn(excluded.join('\n'));
    const exclusion = listed.length > 0 ? { excluded: listed } : {};
    return { ...definition, attributeRelease: { kind, ...exclusion } };
  }
  if (kind !== 'allowed' || !Array.isArray(names)) return definition;
  return { ...definition, attributeRelease: { kind, names: namesIn(names.join('\n')) } };
}

type FieldName = keyof Definition | `client.${keyof Client}`;

export type FieldErrors = Readonly<Partial<Record<FieldName, string>>>;

/** What each group of fields gets. */
export interface Fields {
  readonly definition: Definition;
  readonly onChange: (definition: Definition) => void;
  readonly isReadOnly: boolean;
  readonly errors: FieldErrors;
}

/** `properties.dialect` is of the field `properties`; each field of `client` is one of its own. */
const fieldOf = ({ field }: Violation): string =>
  field
    .split('.')
    .slice(0, field.startsWith('client.') ? 2 : 1)
    .join('.');

/** The violations of a refused definition, by the field that shows them. */
export function errorsOf(problem: Problem | undefined): FieldErrors {
  const errors: Partial<Record<string, string>> = {};
  for (const violation of problem?.violations ?? []) {
    const field = fieldOf(violation);
    if (!isShownAtField(violation)) continue;
    errors[field] = [errors[field], violation.reason].filter(Boolean).join('; ');
  }
  return errors;
}

/** What is shown beside the fields: the other violations. */
export function remainderOf(problem: Problem | undefined): Problem | undefined {
  if (problem === undefined || problem.violations.length === 0) return problem;
  const others = problem.violations.filter((violation) => !isShownAtField(violation));
  const { status, code } = problem;
  return new Problem(status, code, 'This was not saved: see the marked fields.', others);
}

function isShownAtField(violation: Violation): boolean {
  const field = fieldOf(violation);
  if (field.startsWith('client.')) return Object.hasOwn(NEW_CLIENT, field.slice('client.'.length));
  return field !== 'client' && Object.hasOwn(NEW_SERVICE, field);
}
