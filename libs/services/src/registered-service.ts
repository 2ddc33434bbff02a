// The definition of a registered service: its fields, what each may be, and the defaults.
// How one is checked is the business of `service-definition.ts`.

/**
 * Which attributes of the user the service is told. `allowed` names them; `mapped` names them and
 * the names they are told under.
 */
export type AttributeRelease =
  | { readonly kind: 'none' }
  | { readonly kind: 'all' }
  | { readonly kind: 'allowed'; readonly names: readonly string[] }
  | { readonly kind: 'mapped'; readonly names: Readonly<Record<string, readonly string[]>> };

/** What the service is told as the user's name. */
export type UsernameAttribute =
  | { readonly kind: 'principal' }
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'anonymous' };

/** Which callback URLs the service may obtain proxy tickets with; see `mayProxyTo`. */
export type ProxyPolicy =
  { readonly kind: 'refuse' } | { readonly kind: 'pattern'; readonly pattern: string };

/** How the service hears that a session has ended. */
export type LogoutType = 'none' | 'back' | 'front';

/** Values by attribute name; a user must hold one of the values of every name. */
export type RequiredAttributes = Readonly<Record<string, readonly string[]>>;

/** What an administrator says about a service. @see docs/services.md */
export interface ServiceDefinition {
  /** A pattern in RE2 syntax; it matches whole service URLs, in upper and lower case alike. */
  readonly serviceId: string;
  readonly name: string;
  readonly description: string;
  /** Ascending: services with a lower number are tried first. */
  readonly evaluationOrder: number;
  /** A disabled service matches all the same, and refuses. */
  readonly enabled: boolean;
  /** False: only a fresh login buys a ticket for this service. */
  readonly ssoEnabled: boolean;
  readonly requiredAttributes: RequiredAttributes;
  readonly attributeRelease: AttributeRelease;
  readonly usernameAttribute: UsernameAttribute;
  readonly proxyPolicy: ProxyPolicy;
  readonly logoutType: LogoutType;
  readonly logoutUrl: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

/** A service as it is kept. */
export interface RegisteredService extends ServiceDefinition {
  /** A decimal number, given by the database. */
  readonly id: string;
  /** The key of this service's pseudonyms; a secret, never shown. */
  readonly pseudonymSalt: string;
}

/** The fields every definition must give. */
export type MandatoryField = 'serviceId' | 'name';

/** What holds for a field that is left out: nothing is released, nothing is allowed on top. */
export const SERVICE_DEFAULTS: Omit<ServiceDefinition, MandatoryField> = {
  description: '',
  evaluationOrder: 2_147_483_647,
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

/** A definition as it may be written: what is left out has its default. */
export type NewService = Pick<ServiceDefinition, MandatoryField> & Partial<ServiceDefinition>;
