import type { Metrics } from '@tessera/metrics';
import { EventChannel } from '@tessera/runtime';
import type { OidcEvent } from '../oidc/oidc-events.js';

export function countOpenIdConnect(metrics: Metrics): void {
  const { authorizations, tokens, clients, registrations, revocations } = countersOf(metrics);
  // The code of OpenID Connect is loaded only where it is on.
  const oidcEvents = new EventChannel<OidcEvent>('tessera:oidc');
  metrics.observe(oidcEvents, (event) => {
    switch (event.type) {
      case 'authorization':
        authorizations[event.outcome].inc();
        break;
      case 'tokens':
        tokens.of(event.grantType, event.outcome).inc();
        break;
      case 'client-refused':
        clients[event.outcome].inc();
        break;
      case 'registration':
        registrations[event.outcome].inc();
        break;
      case 'revoked':
        revocations[event.cause].inc();
    }
  });
}

function countersOf(metrics: Metrics) {
  const authorizations = metrics
    .counter('tessera_oidc_authorizations_total', 'Answers to authorization requests.', ['outcome'])
    .each(['granted', 'refused', 'pending', 'failed']);
  const tokens = metrics.counter(
    'tessera_oidc_token_requests_total',
    'Answers to token requests of clients that have proved who they are.',
    ['grant_type', 'outcome'],
  );
  const clients = metrics
    .counter(
      'tessera_oidc_client_failures_total',
      'Requests of clients that have not proved who they are.',
      ['outcome'],
    )
    .each(['refused', 'throttled']);
  const revocations = metrics
    .counter(
      'tessera_oidc_revocations_total',
      'Tokens that clients ended, and grants that ended since a code or token was used twice.',
      ['cause'],
    )
    .each(['client', 'reuse']);
  const registrations = metrics
    .counter(
      'tessera_oidc_registrations_total',
      'Requests to register a client with a valid initial access token.',
      ['outcome'],
    )
    .each(['granted', 'refused', 'failed']);
  return { authorizations, tokens, clients, registrations, revocations };
}
