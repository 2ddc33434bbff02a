// Reads the service of an Apereo service file. A service of an unknown class, or with a member that is not understood and
// may restrict it, is imported disabled: its URLs are refused, and no other service gets them.
import type { ServiceDefinition } from '../registered-service.js';
import { inspectDefinition } from '../service-definition.js';
import { COMMON_MEMBERS, MEMBERS } from './apereo-members.js';
import type { HjsonObject, HjsonValue } from './hjson.js';
import { classOf, isObject, readMembers, unknownKind } from './member-handlers.js';
import { type FileNote, ServiceDraft } from './service-draft.js';

const CLASSES = new Set(['RegexRegisteredService', 'CasRegisteredService']);
/** The class of old files whose `serviceId` is no regular expression. */
const ANT_PATTERNS = 'RegisteredServiceImpl';
/** Apereo's defaults. */
const DEFAULTS = { evaluationOrder: 0, logoutType: 'back' };

/** The service of a file, and the result for each member of the file. */
export interface ReadService {
  readonly importId: string | null;
  /** Disabled where a member was not understood. */
  readonly definition: ServiceDefinition;
  readonly taken: readonly string[];
  readonly withoutEffect: readonly FileNote[];
  readonly notUnderstood: readonly FileNote[];
}

/** The reason why a file defines no service, not even a disabled one. */
export interface Refusal {
  readonly refusal: string;
  /** The service of the file, where it has a pattern. */
  readonly service?: Pick<ServiceDefinition, 'serviceId' | 'name' | 'evaluationOrder'>;
}

/** The members that decide which URLs to refuse. */
const REQUIRED_MEMBERS = new Set(['serviceId', 'evaluationOrder', 'matchingStrategy']);

/** @param fallbackName the name of a service without a valid one */
export function readApereoService(value: HjsonValue, fallbackName: string): ReadService | Refusal {
  if (!isObject(value)) return { refusal: 'is not a service' };
  const draft = draftOf(value);
  const given = draft.fields['serviceId'];
  const fields = { ...DEFAULTS, name: fallbackName, ...draft.fields };
  const { definition, violations } = inspectDefinition(fields);
  for (const { field: path, reason } of violations) {
    const [name = path] = path.split('.');
    draft.refuse(name, path.slice(name.length), reason);
  }
  const fatal = draft.notUnderstood.find(({ member }) => REQUIRED_MEMBERS.has(member));
  if (fatal !== undefined) {
    const refusal = `${fatal.member} ${fatal.reason}`;
    const { name, evaluationOrder } = definition;
    if (typeof given !== 'string') return { refusal };
    return { refusal, service: { serviceId: given, name, evaluationOrder } };
  }
  const enabled = definition.enabled && draft.notUnderstood.length === 0;
  return {
    importId: draft.importId,
    definition: { ...definition, enabled },
    taken: draft.taken,
    withoutEffect: draft.withoutEffect,
    notUnderstood: draft.notUnderstood,
  };
}

/** Of a service of an unknown class, reads only the members that refuse its URLs. */
function draftOf(value: HjsonObject): ServiceDraft {
  const draft = new ServiceDraft();
  if (CLASSES.has(classOf(value) ?? '')) {
    readMembers(value, MEMBERS, draft);
    return draft;
  }
  if (classOf(value) === ANT_PATTERNS) {
    draft.addNotUnderstood(
      'serviceId',
      'is an Ant pattern, no regular expression: write the file as a RegexRegisteredService',
    );
  }
  draft.addNotUnderstood('@class', `${unknownKind(value)}: its URLs are refused`);
  readMembers(value, COMMON_MEMBERS, draft);
  return draft;
}
