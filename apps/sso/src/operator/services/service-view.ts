// Services as the operator's API takes and shows them.
import {
  convertService,
  type ConvertedService,
  type NewService,
  readDefinition,
  refuseGlobs,
  type RegisteredService,
  type ServiceDefinition,
} from '@tessera/services';
import { parseObject } from '../input.js';

/** A service without its salt, which is a secret. */
export type ServiceView = Omit<RegisteredService, 'pseudonymSalt'>;

/** Why a member of a service file has no effect, or makes the service disabled. */
export interface ServiceNote {
  readonly member: string;
  readonly note: string;
  readonly kind: 'without-effect' | 'not-understood';
}

export interface ServiceInput {
  readonly definition: ServiceDefinition;
  readonly notes: readonly ServiceNote[];
}

/** Apereo's files name a Java class, with or without quotes. */
const JAVA_CLASS = /@class["']?\s*:/;

export function withoutSalt({ pseudonymSalt: _salt, ...shown }: RegisteredService): ServiceView {
  return shown;
}

/**
 * A definition, or a file of Apereo CAS.
 * @throws ServiceError SERVICE_INVALID; RequestError MALFORMED_REQUEST
 */
export function readInput(body: string): ServiceInput {
  if (JAVA_CLASS.test(body)) {
    const converted = convertService(body);
    return { definition: converted.definition, notes: notesOf(converted) };
  }
  const definition = definitionOf(parseObject(body));
  refuseGlobs(definition);
  return { definition, notes: [] };
}

/** @throws InvalidServiceError with all violations */
export function definitionOf(input: Readonly<Record<string, unknown>>): ServiceDefinition {
  // It reports what has another type than NewService.
  return readDefinition(input as unknown as NewService);
}

export function notesOf({
  withoutEffect,
  notUnderstood,
}: ConvertedService): readonly ServiceNote[] {
  return [
    ...notUnderstood.map(({ member, reason }) => note(member, reason, 'not-understood')),
    ...withoutEffect.map(({ member, reason }) => note(member, reason, 'without-effect')),
  ];
}

function note(member: string, reason: string, kind: ServiceNote['kind']): ServiceNote {
  return { member, note: reason, kind };
}
