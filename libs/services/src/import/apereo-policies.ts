// Reads the policies of a service file on how users log in: second factors, interrupts, handlers, the cookie.
import {
  booleanOf,
  byClass,
  type Handler,
  membersOf,
  notUnderstood,
  type ObjectReader,
  policyOf,
  restricts,
  restrictsUnlessEmpty,
  withoutEffect,
} from './member-handlers.js';

const SECOND_FACTOR = 'asks for a second factor, which is not here';
const INTERRUPT = 'shows a page between login and service, which is not here';
/** The names of handlers of both servers differ. */
export const HANDLERS = 'tells handlers of logins apart, which is not done here';

const noSecondFactor = withoutEffect('has no effect without a second factor');

/** Only the providers ask for a second factor. */
export const multifactorPolicy = policyOf(
  'DefaultRegisteredServiceMultifactorPolicy',
  membersOf({
    multifactorAuthenticationProviders: restrictsUnlessEmpty(SECOND_FACTOR),
    script: restrictsUnlessEmpty(SECOND_FACTOR),
    failureMode: noSecondFactor,
    forceExecution: noSecondFactor,
    bypassEnabled: noSecondFactor,
    bypassTrustedDeviceEnabled: noSecondFactor,
    bypassIfMissingPrincipalAttribute: noSecondFactor,
    bypassPrincipalAttributeName: noSecondFactor,
    bypassPrincipalAttributeValue: noSecondFactor,
    principalAttributeNameTrigger: noSecondFactor,
    principalAttributeValueToMatch: noSecondFactor,
  }),
);

/** `enabled` is Apereo's default, and shows nothing by itself. */
export const interruptPolicy = policyOf(
  'DefaultRegisteredServiceWebflowInterruptPolicy',
  membersOf({
    enabled: withoutEffect('has no effect: nobody is interrupted'),
    forceExecution: restricts(INTERRUPT),
    attributeName: restrictsUnlessEmpty(INTERRUPT),
    attributeValue: restrictsUnlessEmpty(INTERRUPT),
    groovyScript: restrictsUnlessEmpty(INTERRUPT),
  }),
);

/** `TRUE` and `UNDEFINED` change nothing. */
const ssoCookie: Handler = (value, member, draft) => {
  if (booleanOf(value) === false) notUnderstood(value, member, draft);
  else if (booleanOf(value) === undefined) restricts()(value, member, draft);
};

export const ssoPolicy = policyOf(
  'DefaultRegisteredServiceSingleSignOnParticipationPolicy',
  membersOf({ createCookieOnRenewedAuthentication: ssoCookie }),
);

const LISTS_ALONE: ObjectReader = (_object, member, draft) =>
  draft.addWithoutEffect(member, 'has no effect: one handler that accepts is enough');

/** These say how the lists of handlers count, or that one handler is enough. */
const criteria = byClass({
  AllowedAuthenticationHandlersRegisteredServiceAuthenticationPolicyCriteria: LISTS_ALONE,
  ExcludedAuthenticationHandlersRegisteredServiceAuthenticationPolicyCriteria: LISTS_ALONE,
  AnyAuthenticationHandlerRegisteredServiceAuthenticationPolicyCriteria: LISTS_ALONE,
});

export const authenticationPolicy = policyOf(
  'DefaultRegisteredServiceAuthenticationPolicy',
  membersOf({
    requiredAuthenticationHandlers: restrictsUnlessEmpty(HANDLERS),
    excludedAuthenticationHandlers: restrictsUnlessEmpty(HANDLERS),
    criteria,
  }),
);
