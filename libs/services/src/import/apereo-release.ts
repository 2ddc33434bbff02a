// Reads `attributeReleasePolicy` and `usernameAttributeProvider` of a service file.
import {
  byClass,
  classOf,
  type Handler,
  type Handlers,
  isObject,
  isUnset,
  membersOf,
  notUnderstood,
  readMembers,
  textsOf,
  withoutEffect,
} from './member-handlers.js';
import type { HjsonValue, HjsonObject } from './hjson.js';
import type { ServiceDraft } from './service-draft.js';

const NONE = { kind: 'none' };

/** The default repository configures a cache alone, and attributes are not cached here. */
const attributesRepository: Handler = (value, member, draft) => {
  const isDefault = isObject(value) && classOf(value) === 'DefaultPrincipalAttributesRepository';
  const handler = isDefault ? withoutEffect('has no effect: nothing is cached') : notUnderstood;
  handler(value, member, draft);
};

/** Apereo asks for consent by a separate module. Many files have a policy that only enables it. */
const consentPolicy: Handler = (value, member, draft) => {
  const rest = isObject(value) ? membersOf(value).filter(([name]) => name !== 'enabled') : [];
  const isPlain = isObject(value) && rest.every(([, each]) => isUnset(each));
  const handler = isPlain ? withoutEffect('is not asked for here') : notUnderstood;
  handler(value, member, draft);
};

const authenticationAttributes: Handler = (value, member, draft) => {
  if (value === true || value === null) return;
  draft.addNotUnderstood(member, 'is not understood: they are always released');
};

const COMMON: Handlers = new Map([
  ['principalAttributesRepository', attributesRepository],
  ['consentPolicy', consentPolicy],
  ['authorizedToReleaseCredentialPassword', withoutEffect('is never released')],
  ['authorizedToReleaseProxyGrantingTicket', withoutEffect('is never released as an attribute')],
  ['authorizedToReleaseAuthenticationAttributes', authenticationAttributes],
  ['excludeDefaultAttributes', withoutEffect('has no effect: there are no default attributes')],
  ['principalIdAttribute', withoutEffect('has no effect: the name is not released twice')],
  ['order', withoutEffect('has no effect: there is one policy')],
]);

const allowedAttributes: Handler = (value, member, draft) => {
  const names = isUnset(value) ? [] : textsOf(value);
  if (names === undefined) draft.addNotUnderstood(member, 'is not a list of names');
  else draft.take(member, 'attributeRelease', names.length > 0 ? { kind: 'allowed', names } : NONE);
};

const mappedAttributes: Handler = (value, member, draft) => {
  const entries = isObject(value) ? membersOf(value) : [];
  const names = entries.map(([name, targets]) => [name, textsOf(targets)] as const);
  if (!isObject(value) || names.some(([, targets]) => !targets || targets.some(isScript))) {
    draft.addNotUnderstood(member, 'is not a map of names to names');
    return;
  }
  const mapped = { kind: 'mapped', names: Object.fromEntries(names) };
  draft.take(member, 'attributeRelease', names.length > 0 ? mapped : NONE);
};

function isScript(text: string): boolean {
  return /^\s*groovy\s*\{|^(?:file|classpath|https?):|\.groovy$/i.test(text);
}

function policy(attributeRelease: object, own: Handlers = new Map()) {
  return (object: HjsonObject, member: string, draft: ServiceDraft): void => {
    draft.takeWhole(member, 'attributeRelease', attributeRelease, () =>
      readMembers(object, new Map([...COMMON, ...own]), draft, member),
    );
  };
}

export const attributeReleasePolicy = byClass(
  new Map([
    ['DenyAllAttributeReleasePolicy', policy(NONE)],
    ['ReturnAllAttributeReleasePolicy', policy({ kind: 'all' })],
    [
      'ReturnAllowedAttributeReleasePolicy',
      policy(NONE, new Map([['allowedAttributes', allowedAttributes]])),
    ],
    [
      'ReturnMappedAttributeReleasePolicy',
      policy(NONE, new Map([['allowedAttributes', mappedAttributes]])),
    ],
  ]),
);

const attributeName: Handler = (value: HjsonValue, member, draft) =>
  draft.take(member, 'usernameAttribute', { kind: 'attribute', name: value });

function username(usernameAttribute: object, own: Handlers = new Map()) {
  return (object: HjsonObject, member: string, draft: ServiceDraft): void => {
    draft.takeWhole(member, 'usernameAttribute', usernameAttribute, () =>
      readMembers(object, own, draft, member),
    );
  };
}

export const usernameAttributeProvider = byClass(
  new Map([
    ['DefaultRegisteredServiceUsernameProvider', username({ kind: 'principal' })],
    [
      'PrincipalAttributeRegisteredServiceUsernameProvider',
      username({ kind: 'attribute' }, new Map([['usernameAttribute', attributeName]])),
    ],
    [
      'AnonymousRegisteredServiceUsernameAttributeProvider',
      username(
        { kind: 'anonymous' },
        new Map([
          [
            'persistentIdGenerator',
            withoutEffect('has no effect: users get other pseudonyms than they had'),
          ],
        ]),
      ),
    ],
  ]),
);
