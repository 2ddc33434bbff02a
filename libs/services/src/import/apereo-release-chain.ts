// Reads `ChainingAttributeReleasePolicy`: the policies of a chain become one, where that releases the same.
import type { AttributeRelease } from '../registered-service.js';
import type { HjsonValue } from './hjson.js';
import {
  collectionOf,
  type Handler,
  membersOf,
  type ObjectReader,
  readMembers,
  withoutEffect,
} from './member-handlers.js';
import { ServiceDraft } from './service-draft.js';

/** They differ only where two policies give an attribute different values, which is refused. */
const MERGING = /^(?:replace|overwrite|override|add|multi_?valued|combine|merge)$/i;

/** Read with the chain as a whole. */
const later: Handler = () => {};
const MEMBERS = membersOf({
  policies: later,
  mergingPolicy: (value, member, draft) => {
    if (value !== null && !(typeof value === 'string' && MERGING.test(value))) {
      draft.addNotUnderstood(member, 'is not understood');
    }
  },
  order: withoutEffect('has no effect: there is one policy'),
});

/** @param readPolicy reads one policy of the chain */
export function chain(readPolicy: Handler): ObjectReader {
  return (object, member, draft) => {
    const policies = collectionOf(object.get('policies') ?? null);
    draft.takeWhole(member, 'attributeRelease', { kind: 'none' }, () => {
      readMembers(object, MEMBERS, draft, member);
      if (policies === undefined) draft.addNotUnderstood(`${member}.policies`, 'is not a list');
      else readPolicies(policies, `${member}.policies`, draft, readPolicy);
    });
  };
}

function readPolicies(
  policies: readonly HjsonValue[],
  member: string,
  draft: ServiceDraft,
  readPolicy: Handler,
): void {
  const read = policies.map((policy, at) => {
    const one = new ServiceDraft();
    readPolicy(policy, `${member}[${at}]`, one);
    draft.withoutEffect.push(...one.withoutEffect);
    draft.notUnderstood.push(...one.notUnderstood);
    return one.fields;
  });
  if (read.some((fields) => 'releasedValues' in fields)) {
    draft.addNotUnderstood(member, 'has a filter of one policy, which would hold for all');
  }
  if (read.some((fields) => fields['protocolAttributes'] === false)) {
    draft.take(member, 'protocolAttributes', false);
  }
  if (read.length > 0 && read.every((fields) => fields['defaultAttributes'] === false)) {
    draft.take(member, 'defaultAttributes', false);
  }
  const releases = read.map(
    (fields) => (fields['attributeRelease'] ?? { kind: 'none' }) as AttributeRelease,
  );
  const merged = mergedRelease(releases.filter(({ kind }) => kind !== 'none'));
  if (typeof merged === 'string') draft.addNotUnderstood(member, merged);
  else draft.take(member, 'attributeRelease', merged);
}

/** One release in place of several, or the reason why there is none. */
function mergedRelease(releases: readonly AttributeRelease[]): AttributeRelease | string {
  const [first = { kind: 'none' }, ...others] = releases;
  if (others.length === 0) return first;
  if (releases.some(({ kind }) => kind === 'all')) {
    const isAll = releases.every(
      (each) => each.kind === 'allowed' || (each.kind === 'all' && each.excluded === undefined),
    );
    return isAll ? { kind: 'all' } : 'releases all attributes, and changes some of them';
  }
  return mergedNames(releases.flatMap(pairsOf));
}

function mergedNames(pairs: readonly (readonly [string, string])[]): AttributeRelease | string {
  const sources = new Map<string, string>();
  const names = new Map<string, Set<string>>();
  for (const [from, to] of pairs) {
    const known = sources.get(to) ?? from;
    if (known !== from) return `releases ${known} and ${from} under the name ${to}`;
    sources.set(to, from);
    names.set(from, (names.get(from) ?? new Set<string>()).add(to));
  }
  if (pairs.every(([from, to]) => from === to)) {
    return { kind: 'allowed', names: [...names.keys()] };
  }
  const entries = [...names].map(([name, targets]) => [name, [...targets]] as const);
  return { kind: 'mapped', names: Object.fromEntries(entries) };
}

/** The names of attributes, with those under which they are released. */
function pairsOf(release: AttributeRelease): readonly (readonly [string, string])[] {
  if (release.kind === 'allowed') return release.names.map((name) => [name, name] as const);
  if (release.kind !== 'mapped') return [];
  return Object.entries(release.names).flatMap(([name, targets]) =>
    targets.map((target) => [name, target] as const),
  );
}
