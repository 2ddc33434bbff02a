// The settings that providers take by injection: `@Inject(ticketsConfig.KEY)`, or `ConfigService` with `tickets.…`.
import { configNamespace } from '@tessera/config';
import type { SsoSettings } from './sso-settings.js';

export const ssoConfig = configNamespace('sso', (settings: SsoSettings) => settings);
export const ticketsConfig = configNamespace('tickets', ({ tickets }: SsoSettings) => tickets);
export const throttleConfig = configNamespace('throttle', ({ throttle }: SsoSettings) => throttle);

export const auditConfig = configNamespace('audit', ({ audit }: SsoSettings) => audit);

export const outgoingConfig = configNamespace('outgoing', ({ outgoing }: SsoSettings) => outgoing);

export const rateLimitConfig = configNamespace(
  'rateLimit',
  ({ rateLimit }: SsoSettings) => rateLimit,
);

export const NAMESPACES = [
  ssoConfig,
  ticketsConfig,
  throttleConfig,
  rateLimitConfig,
  outgoingConfig,
  auditConfig,
];
