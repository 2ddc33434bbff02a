// The profiles for which a document is active.
import {
  scalarText,
  type Properties,
  type Property,
  type PropertyDocument,
} from './property-document.js';
import { PropertySourceError } from './property-source-error.js';
import { profileExpression, type ProfileExpression } from './profile-expression.js';
import type { SourceText } from './source-text.js';

const ON_PROFILE = /^spring\.config\.activate\.on[-_]?profile(?:\[\d+\])?$/i;
/** The name before Spring Boot 2.4. */
const PROFILES = /^spring\.profiles(?:\[\d+\])?$/i;
const ON_CLOUD_PLATFORM = /^spring\.config\.activate\.on[-_]?cloud[-_]?platform$/i;

/** In characters, of one property. */
const MAX_EXPRESSION_LENGTH = 1000;
/** In characters, of all expressions of a file: the parsed form takes more memory. */
const MAX_TOTAL_LENGTH = 10_000;

/**
 * True for a document without profiles (`spring.config.activate.on-profile`, or the older `spring.profiles`), and for one with
 * an expression that holds. A document for a cloud platform is never active, because the platform of the client is unknown.
 */
export function isActive(
  { activation }: PropertyDocument,
  activeProfiles: readonly string[],
): boolean {
  const active = new Set(activeProfiles);
  return activation?.((profile) => active.has(profile)) ?? true;
}

/**
 * The documents of a file, each with its activation.
 *
 * @throws PropertySourceError SOURCE_UNREADABLE for an invalid profile expression, or too many of them
 */
export function withActivation(
  documents: readonly Properties[],
  { name }: Pick<SourceText, 'name'>,
): PropertyDocument[] {
  let left = MAX_TOTAL_LENGTH;
  const expressionsIn = ({ value, origin }: Property): ProfileExpression[] => {
    const text = scalarText(value).trim();
    left -= text.length;
    if (text.length > MAX_EXPRESSION_LENGTH || left < 0) {
      throw new PropertySourceError(name, origin?.line ?? 1, 'names too many profiles');
    }
    const expressions = text === '' ? [] : text.split(',').map(profileExpression);
    const readable = expressions.filter((expression) => expression !== undefined);
    if (readable.length === expressions.length) return readable;
    const reason = 'profiles are names joined by & or | (with parentheses where both are)';
    throw new PropertySourceError(name, origin?.line ?? 1, reason);
  };
  return documents.map((properties) => ({
    properties,
    activation: activationOf(properties, expressionsIn),
  }));
}

function activationOf(
  properties: Properties,
  expressionsIn: (property: Property) => ProfileExpression[],
): ProfileExpression | undefined {
  const conditions = [ON_PROFILE, PROFILES]
    .map((pattern) => propertiesOf(properties, pattern).flatMap(expressionsIn))
    .filter((expressions) => expressions.length > 0)
    .map(anyOf);
  const isForPlatform = ({ value }: Property): boolean => value !== 'none';
  if (propertiesOf(properties, ON_CLOUD_PLATFORM).some(isForPlatform)) return () => false;
  if (conditions.length === 0) return undefined;
  return (isActiveProfile) => conditions.every((holds) => holds(isActiveProfile));
}

function anyOf(expressions: readonly ProfileExpression[]): ProfileExpression {
  return (isActiveProfile) => expressions.some((holds) => holds(isActiveProfile));
}

function propertiesOf(properties: Properties, pattern: RegExp): Property[] {
  return [...properties].filter(([key]) => pattern.test(key)).map(([, property]) => property);
}
