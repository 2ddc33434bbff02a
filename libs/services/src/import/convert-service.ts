// Reads one service file without storing it.
import type { ServiceDefinition } from '../registered-service.js';
import { ServiceError } from '../service-error.js';
import { readServiceText } from './apereo-service.js';
import type { FileNote } from './service-draft.js';

export interface ConvertedService {
  /** Disabled where a member was not understood. */
  readonly definition: ServiceDefinition;
  /** Members without effect here. Ignoring them gives nobody access. */
  readonly withoutEffect: readonly FileNote[];
  /** Members because of which the service is disabled. */
  readonly notUnderstood: readonly FileNote[];
}

/**
 * The service of a file of Apereo CAS.
 * @throws ServiceError SERVICE_INVALID with the reason
 */
export function convertService(text: string): ConvertedService {
  const read = readServiceText(text, 'service');
  if ('ignored' in read) throw new ServiceError('SERVICE_INVALID', `the service ${read.ignored}`);
  if ('refusal' in read) throw new ServiceError('SERVICE_INVALID', `the service ${read.refusal}`);
  const { definition, secrets = [], pseudonymSalt } = read;
  const withoutEffect = [...read.withoutEffect];
  const notUnderstood = [...read.notUnderstood];
  if (secrets.length > 0) {
    const reason = 'is not kept: add a secret, or import the file by tessera service import';
    withoutEffect.push({ member: 'clientSecret', reason });
  }
  if (pseudonymSalt !== undefined) {
    const reason = 'has a salt, which only tessera service import keeps';
    notUnderstood.push({ member: 'usernameAttributeProvider', reason });
  }
  const enabled = definition.enabled && notUnderstood.length === 0;
  return { definition: { ...definition, enabled }, withoutEffect, notUnderstood };
}
