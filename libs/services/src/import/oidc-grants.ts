// Reads how a client of Apereo CAS gets tokens, and how it proves who it is: members that count together.
import type { HjsonObject } from './hjson.js';
import { booleanOf, isUnset, textOf, textsOf } from './member-handlers.js';
import type { ServiceDraft } from './service-draft.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const GRANTS = new Map([
  ['authorization_code', 'authorization_code'],
  ['refresh_token', 'refresh_token'],
  ['client_credentials', 'client_credentials'],
  ['device_code', DEVICE_CODE],
  [DEVICE_CODE, DEVICE_CODE],
]);
const OTHER_GRANTS = new Map([
  ['password', 'is not offered: applications must not see passwords'],
  ['implicit', 'is not offered: tokens in addresses leak'],
]);
const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'];

export function readGrants(file: HjsonObject, draft: ServiceDraft): void {
  const method = readMethod(file, draft);
  const grants = [...grantsOf(file, draft)];
  const isPublic = method === 'none';
  const kept = grants.filter((each) => !isPublic || each !== 'client_credentials');
  if (kept.length < grants.length) {
    draft.addWithoutEffect(
      'supportedGrantTypes',
      'leaves out client_credentials: a public client proves nothing',
    );
  }
  if (kept.some((each) => each !== 'refresh_token')) {
    const member = file.has('supportedGrantTypes') ? 'supportedGrantTypes' : 'clientId';
    draft.take(member, 'client.grantTypes', kept);
  } else {
    draft.addNotUnderstood(
      file.has('supportedGrantTypes') ? 'supportedGrantTypes' : 'supportedResponseTypes',
      'has nothing that is offered here: the application must use the code flow',
    );
  }
  draft.take('clientId', 'client.pkceRequired', isPublic);
}

function* grantsOf(file: HjsonObject, draft: ServiceDraft): Iterable<string> {
  const member = 'supportedGrantTypes';
  const given = listOf(file, member, draft);
  const named = given.length > 0 ? given : ['authorization_code'];
  if (given.length === 0) {
    draft.addWithoutEffect(
      member,
      'is missing, which allowed every grant: authorization_code is allowed here',
    );
  }
  const types = responseTypes(file, draft);
  const hasCode = types.length === 0 || types.includes('code');
  const known = new Set(named.flatMap((each) => GRANTS.get(each) ?? []));
  if (types.includes('device_code')) known.add(DEVICE_CODE);
  for (const each of named.filter((name) => !GRANTS.has(name))) {
    draft.addWithoutEffect(
      member,
      `leaves out ${each}, which ${OTHER_GRANTS.get(each) ?? 'is not offered'}`,
    );
  }
  const refreshes = booleanOf(file.get('generateRefreshToken') ?? null) === true;
  if (refreshes) draft.take('generateRefreshToken');
  if (refreshes || known.has('refresh_token')) {
    known.add('refresh_token');
    if (booleanOf(file.get('renewRefreshToken') ?? null) === undefined) {
      draft.addWithoutEffect(
        refreshes ? 'generateRefreshToken' : member,
        'gives a new refresh token at each refresh, and the application must keep it',
      );
    }
  }
  for (const each of known) if (hasCode || each !== 'authorization_code') yield each;
}

/** Empty for a client that may use all. */
function responseTypes(file: HjsonObject, draft: ServiceDraft): readonly string[] {
  const member = 'supportedResponseTypes';
  const given = listOf(file, member, draft);
  const others = given.filter((each) => each !== 'code' && each !== 'device_code');
  if (others.length > 0) {
    draft.addWithoutEffect(
      member,
      `leaves out ${others.join(', ')}: tokens in addresses leak, and the application must use code`,
    );
  }
  if (given.length > others.length) draft.take(member);
  return given;
}

/** In lower case; empty for a member that says nothing. */
function listOf(file: HjsonObject, member: string, draft: ServiceDraft): readonly string[] {
  const value = file.get(member) ?? null;
  const texts = isUnset(value) ? [] : textsOf(value);
  if (texts === undefined) draft.addNotUnderstood(member, 'is not a list of names');
  return (texts ?? []).map((each) => each.trim().toLowerCase());
}

/** A client without a secret is public in Apereo CAS, too. */
function readMethod(file: HjsonObject, draft: ServiceDraft): string {
  const member = 'tokenEndpointAuthenticationMethod';
  const given = textOf(file.get(member) ?? null)?.toLowerCase() ?? '';
  const hasKeys = 'client.jwks' in draft.fields || 'client.jwksUri' in draft.fields;
  const hasSecret =
    draft.secrets.length > 0 ||
    draft.notUnderstood.some((each) => each.member.startsWith('clientSecret'));
  const method = given === '' ? 'client_secret_basic' : given;
  if (method === 'none' || (method === 'private_key_jwt' && hasKeys)) {
    dropSecrets(draft);
    return take(method, member, draft);
  }
  if (!SECRET_METHODS.includes(method)) {
    const lacksKeys = method === 'private_key_jwt';
    draft.addNotUnderstood(
      member,
      lacksKeys
        ? 'needs the public keys of the client: write them into jwks, or an https URL'
        : `is ${method}, which is not offered: use client_secret_basic, client_secret_post or private_key_jwt`,
    );
    return 'client_secret_basic';
  }
  const named = draft.secrets.length > 0 ? 'clientSecret' : 'clientId';
  if (hasSecret) return take(method, given === '' ? named : member, draft);
  draft.addWithoutEffect('clientSecret', 'is missing: the client is public, and must use PKCE');
  return take('none', 'clientId', draft);
}

function dropSecrets(draft: ServiceDraft): void {
  if (draft.secrets.length === 0) return;
  draft.secrets.length = 0;
  draft.addWithoutEffect('clientSecret', 'is not stored: the client authenticates without it');
}

function take(method: string, member: string, draft: ServiceDraft): string {
  draft.take(member, 'client.tokenEndpointAuthMethod', method);
  return method;
}
