// Reads `attributeFilter` of a release policy: the values of attributes that are released.
import { type AttributeRelease, EVERY_ATTRIBUTE } from '../registered-service.js';
import type { HjsonObject } from './hjson.js';
import { readValues, type ValueRule } from './java-value-patterns.js';
import {
  booleanOf,
  byClass,
  entriesOf,
  type Handler,
  isObject,
  membersOf,
  type ObjectReader,
  readMembers,
  withoutEffect,
} from './member-handlers.js';
import type { ServiceDraft } from './service-draft.js';

/** Read with the filter as a whole. */
const later: Handler = () => {};
const ORDER = withoutEffect('has no effect: there is one filter');
const REGEX = membersOf({ pattern: later, order: ORDER });
const MAPPED = membersOf({
  patterns: later,
  excludeUnmappedAttributes: later,
  caseInsensitive: later,
  completeMatch: later,
  order: ORDER,
});

/** Apereo CAS matches the whole value, of any attribute. */
const regexFilter: ObjectReader = (filter, member, draft) => {
  readMembers(filter, REGEX, draft, member);
  const rule = { ignoresCase: false, matchesParts: false };
  const patterns = readPattern(filter, { name: 'pattern', member, rule }, draft);
  if (patterns !== undefined) draft.take(member, 'releasedValues', { [EVERY_ATTRIBUTE]: patterns });
};

/** Apereo CAS finds a part of the value, in any letters, unless the filter says otherwise. */
const mappedFilter: ObjectReader = (filter, member, draft) => {
  readMembers(filter, MAPPED, draft, member);
  const ignoresCase = flagOf(filter, 'caseInsensitive', true);
  const isComplete = flagOf(filter, 'completeMatch', false);
  const excludesOthers = flagOf(filter, 'excludeUnmappedAttributes', false);
  const patterns = filter.get('patterns') ?? null;
  if (ignoresCase === undefined || isComplete === undefined || excludesOthers === undefined) {
    draft.addNotUnderstood(member, 'has a flag that is not true or false');
    return;
  }
  if (!isObject(patterns)) {
    draft.addNotUnderstood(`${member}.patterns`, 'is not a map of names to texts');
    return;
  }
  const rule = { ignoresCase, matchesParts: !isComplete };
  const released = entriesOf(patterns).flatMap(([name]) => {
    const read = readPattern(patterns, { name, member: `${member}.patterns`, rule }, draft);
    return read === undefined ? [] : [[name, read] as const];
  });
  draft.take(member, 'releasedValues', Object.fromEntries(released));
  if (excludesOthers) keepOnly(new Set(released.map(([name]) => name)), member, draft);
};

/** Scripts, chains and filters that turn a pattern around are refused by the name of their class. */
export const attributeFilter = byClass({
  RegisteredServiceRegexAttributeFilter: regexFilter,
  RegisteredServiceMappedRegexAttributeFilter: mappedFilter,
});

interface PatternMember {
  readonly name: string;
  /** The path of the object. */
  readonly member: string;
  readonly rule: ValueRule;
}

/** Undefined where the pattern cannot be kept, which is reported. */
function readPattern(
  object: HjsonObject,
  { name, member, rule }: PatternMember,
  draft: ServiceDraft,
): readonly string[] | undefined {
  const pattern = object.get(name) ?? null;
  const path = `${member}.${name}`;
  const read =
    typeof pattern === 'string' ? readValues([pattern], rule) : { reason: 'is not a text' };
  if ('reason' in read) {
    draft.addNotUnderstood(path, read.reason);
    return undefined;
  }
  for (const note of read.notes) draft.addWithoutEffect(path, note);
  return read.patterns;
}

function flagOf(filter: HjsonObject, name: string, initial: boolean): boolean | undefined {
  return booleanOf(filter.get(name) ?? initial);
}

/** The release of the draft without the attributes that the filter does not name. */
function keepOnly(names: ReadonlySet<string>, member: string, draft: ServiceDraft): void {
  const release = draft.fields['attributeRelease'] as AttributeRelease;
  draft.take(member, 'attributeRelease', restricted(release, names));
}

function restricted(release: AttributeRelease, names: ReadonlySet<string>): AttributeRelease {
  switch (release.kind) {
    case 'none':
      return release;
    case 'all': {
      const excluded = new Set(release.excluded?.map((name) => name.toLowerCase()));
      return named([...names].filter((name) => !excluded.has(name.toLowerCase())));
    }
    case 'allowed':
      return named(release.names.filter((name) => names.has(name)));
    case 'mapped': {
      const kept = Object.entries(release.names).map(
        ([name, targets]) => [name, targets.filter((target) => names.has(target))] as const,
      );
      const left = kept.filter(([, targets]) => targets.length > 0);
      return left.length > 0
        ? { kind: 'mapped', names: Object.fromEntries(left) }
        : { kind: 'none' };
    }
  }
}

function named(names: readonly string[]): AttributeRelease {
  return names.length > 0 ? { kind: 'allowed', names } : { kind: 'none' };
}
