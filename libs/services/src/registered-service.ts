// The types of registered services, and the defaults of their fields.
import type { ClientDefinition, NewClient } from './client-definition.js';

/**
 * The attributes of the user that the service gets. `all` may exclude some, in any letter case; `allowed` lists their names;
 * `mapped` maps their names to new names.
 */
export type AttributeRelease =
  | { readonly kind: 'none' }
  | { readonly kind: 'all'; readonly excluded?: readonly string[] }
  | { readonly kind: 'allowed'; readonly names: readonly string[] }
  | { readonly kind: 'mapped'; readonly names: Readonly<Record<string, readonly string[]>> };

export type LetterCase = 'lower' | 'upper';

/** The user name that the service gets. */
export type UsernameAttribute =
  | { readonly kind: 'principal'; readonly letterCase?: LetterCase }
  | { readonly kind: 'attribute'; readonly name: string; readonly letterCase?: LetterCase }
  | { readonly kind: 'anonymous' };

/** The callback URLs with which the service may obtain proxy tickets; see `mayProxyTo`. */
export type ProxyPolicy =
  { readonly kind: 'refuse' } | { readonly kind: 'pattern'; readonly pattern: string };

/** How the browser brings a ticket to the service, unless it asks otherwise. */
export type ResponseType = 'redirect' | 'post';

/** How the service is notified of the end of a session. */
export type LogoutType = 'none' | 'back' | 'front';

/** Patterns by attribute name, in RE2 syntax. Each matches a whole value, with regard to case. */
export type AttributePatterns = Readonly<Record<string, readonly string[]>>;

/** The definition of a service by an administrator. @see docs/services.md */
export interface ServiceDefinition {
  /**
   * A pattern in RE2 syntax. It matches whole service URLs, without regard to case. Null for an OpenID Connect client that
   * takes no part in CAS.
   */
  readonly serviceId: string | null;
  /** The id of an OpenID Connect client, which no other service has; null for a service that is none. */
  readonly clientId: string | null;
  /** Null where `clientId` is. */
  readonly client: ClientDefinition | null;
  readonly name: string;
  readonly description: string;
  /** Services with lower numbers are matched first. */
  readonly evaluationOrder: number;
  /** A disabled service still matches its URLs, which are then refused. */
  readonly enabled: boolean;
  /** The time from which it counts as disabled, as `2027-06-30T16:00:00.000Z`; see `isEnabled`. */
  readonly expiresAt: string | null;
  /** False: tickets for this service require a new login. */
  readonly ssoEnabled: boolean;
  /** A user must have a value that matches, of every attribute; see `requireAllAttributes`. */
  readonly requiredAttributes: AttributePatterns;
  /** False: one of the required attributes is enough. */
  readonly requireAllAttributes: boolean;
  /** A user with one value that matches is refused. */
  readonly rejectedAttributes: AttributePatterns;
  /** Where the browser of a refused user is sent; null for a page. */
  readonly unauthorizedRedirectUrl: string | null;
  readonly attributeRelease: AttributeRelease;
  /** False: it gets no attributes that are released to every service by a setting. */
  readonly defaultAttributes: boolean;
  /** Of these released attributes, values that match one pattern alone; see `EVERY_ATTRIBUTE`. */
  readonly releasedValues: AttributePatterns;
  /** False: the attributes of the protocol, such as `authenticationDate`, are not released either. */
  readonly protocolAttributes: boolean;
  readonly usernameAttribute: UsernameAttribute;
  readonly proxyPolicy: ProxyPolicy;
  readonly responseType: ResponseType;
  /** The most seconds that its STs live; null for those of the setting, which is never exceeded. */
  readonly serviceTicketLifetime: number | null;
  /** As `serviceTicketLifetime`, of PTs for this service. */
  readonly proxyTicketLifetime: number | null;
  readonly logoutType: LogoutType;
  /** One URL, or several, separated by commas; see `logoutUrlsOf`. */
  readonly logoutUrl: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

/** A stored service. */
export interface RegisteredService extends ServiceDefinition {
  /** A decimal number, assigned by the database. */
  readonly id: string;
  /** The key of this service's pseudonyms. A secret: never shown. */
  readonly pseudonymSalt: string;
}

/** A service that is an OpenID Connect client. */
export interface RegisteredClient extends RegisteredService {
  readonly clientId: string;
  readonly client: ClientDefinition;
}

/** The name in `releasedValues` that stands for every attribute. */
export const EVERY_ATTRIBUTE = '*';

/** The fields without a default. One of `serviceId` and `clientId` must be given too. */
export type MandatoryField = 'name';

/** The defaults of missing fields. They release nothing and allow nothing more. */
export const SERVICE_DEFAULTS: Omit<ServiceDefinition, MandatoryField> = {
  serviceId: null,
  clientId: null,
  client: null,
  description: '',
  evaluationOrder: 2_147_483_647,
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

/** A definition whose missing fields have their defaults. */
export type NewService = Pick<ServiceDefinition, MandatoryField> &
  Partial<Omit<ServiceDefinition, 'client'>> & { readonly client?: NewClient | null };

/** A service of the application itself, which takes part in CAS without being stored. */
export type BuiltInService = Omit<NewService, 'clientId' | 'client'>;
