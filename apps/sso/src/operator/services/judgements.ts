// Why a user is refused at a service, in sentences.
import {
  type AttributePatterns,
  isEnabled,
  missingAttributes,
  type Principal,
  type RegisteredService,
  rejectingAttributes,
} from '@tessera/services';
import { isRedirectable } from '../../protocol/redirect-url.js';

/** In the order of the checks. */
export const REFUSAL_REASONS = [
  'OIDC_OFF',
  'CLIENT_NOT_REGISTERED',
  'SERVICE_NOT_REGISTERED',
  'SPELLING_BELONGS_TO_ANOTHER_SERVICE',
  'SERVICE_DISABLED',
  'URL_NOT_ALLOWED',
  'REQUEST_INVALID',
  'USER_UNKNOWN',
  'ACCOUNT_DISABLED',
  'ATTRIBUTES_MISSING',
  'ATTRIBUTES_REJECTED',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export interface User {
  readonly principal: Principal | undefined;
  /** Whether the account of this name is disabled or expired. */
  readonly isDisabled: boolean;
}

interface Situation extends User {
  readonly service: RegisteredService | undefined;
  /** Another service to which the canonical spelling of the URL belongs. */
  readonly other: RegisteredService | undefined;
}

export interface Judgement {
  readonly reason: RefusalReason | null;
  readonly detail: string;
  readonly missing?: AttributePatterns;
}

const NOT_REDIRECTABLE =
  'The login page redirects to no such URL: it must be http or https, with a host without spaces, and without a ' +
  'user, control characters or backslashes. REST does not check this.';

export function judge(
  { url, user }: { readonly url: string; readonly user?: string },
  situation: Situation,
): Judgement {
  const { service, other } = situation;
  if (service === undefined) {
    const detail =
      'No registered service matches this URL, both as written and as a URL parser reads it.';
    return { reason: 'SERVICE_NOT_REGISTERED', detail };
  }
  const name = JSON.stringify(service.name);
  if (other !== undefined) {
    const detail = `${name} matches this URL, but its usual spelling belongs to ${JSON.stringify(other.name)}.`;
    return { reason: 'SPELLING_BELONGS_TO_ANOTHER_SERVICE', detail };
  }
  const disabled = judgeState(service);
  if (disabled !== undefined) return disabled;
  if (!isRedirectable(url)) return { reason: 'URL_NOT_ALLOWED', detail: NOT_REDIRECTABLE };
  return judgeUser(service, user, situation);
}

/** Undefined for an enabled service. */
export function judgeState(service: RegisteredService): Judgement | undefined {
  if (isEnabled(service, Date.now())) return undefined;
  const state = service.enabled ? `expired at ${service.expiresAt}` : 'is disabled';
  return { reason: 'SERVICE_DISABLED', detail: `${JSON.stringify(service.name)} ${state}.` };
}

/** @param user the name that is asked for; undefined for nobody */
export function judgeUser(
  service: RegisteredService,
  user: string | undefined,
  { principal, isDisabled }: User,
): Judgement {
  const name = JSON.stringify(service.name);
  if (user === undefined) {
    return {
      reason: null,
      detail: `${name} is enabled. Name a user to see whether this user may use it.`,
    };
  }
  if (principal === undefined) {
    const detail = 'This user has neither an account nor a session: give the attributes too.';
    return { reason: 'USER_UNKNOWN', detail };
  }
  if (isDisabled) {
    const detail = 'The account of this user is disabled or expired, so every login is refused.';
    return { reason: 'ACCOUNT_DISABLED', detail };
  }
  const missing = missingAttributes(service, principal);
  if (Object.keys(missing).length > 0) {
    const detail = `The user has none of the values that ${name} requires of: ${namesOf(missing)}.`;
    return { reason: 'ATTRIBUTES_MISSING', detail, missing };
  }
  const rejecting = rejectingAttributes(service, principal);
  if (Object.keys(rejecting).length > 0) {
    const detail = `The user has a value that ${name} rejects, or too few attributes to tell: ${namesOf(rejecting)}.`;
    return { reason: 'ATTRIBUTES_REJECTED', detail };
  }
  return { reason: null, detail: `The user may use ${name}.` };
}

function namesOf(attributes: AttributePatterns): string {
  return Object.keys(attributes).join(', ');
}
