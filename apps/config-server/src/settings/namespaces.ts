// The settings that providers take by injection: `@Inject(gitConfig.KEY)`, or `ConfigService` with `git.…`.
import { configNamespace } from '@tessera/config';
import type { ConfigServerSettings } from './config-server-settings.js';

export const configServerConfig = configNamespace(
  'configServer',
  (settings: ConfigServerSettings) => settings,
);
export const gitConfig = configNamespace('git', ({ git }: ConfigServerSettings) => git);
export const rateLimitConfig = configNamespace(
  'rateLimit',
  ({ rateLimit }: ConfigServerSettings) => rateLimit,
);

export const NAMESPACES = [configServerConfig, gitConfig, rateLimitConfig];
