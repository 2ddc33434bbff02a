// The table of settings of Spring Boot, Spring Cloud Config and Apereo CAS, and what becomes of them here. The hints at the
// start, `tessera migrate` and the tables of docs/migration.md and docs/config-migration.md are made from it.
import { normaliseKey } from '../closest-key.js';
import { CAS_ROWS } from './cas-rows.js';
import { CONFIG_SERVER_LEFT_ROWS, CONFIG_SERVER_ROWS } from './config-server-rows.js';
import { LEFT_ROWS } from './left-rows.js';
import { type MigrationRow, renamed } from './migration-row.js';
import { MANAGEMENT_ROWS, SOURCE_ROWS, SPRING_ROWS } from './spring-rows.js';

/**
 * Sections that Tessera has too, with the groups below them that only other servers have. Other unknown keys in these
 * sections are errors: they may be ours, mistyped.
 */
const SHARED_SECTIONS: readonly (readonly [section: string, groups: string])[] = [
  ['logging', 'charset config console exception-conversion-word file group'],
  ['logging', 'include-application-group include-application-name log4j log4j2 logback path'],
  ['logging', 'pattern register-shutdown-hook structured threshold'],
  ['management', 'add-application-context-header appoptics atlas auditevents brave cloudfoundry'],
  ['management', 'context-path datadog defaults dynatrace elastic endpoint endpoints ganglia git'],
  ['management', 'graphite health heapdump httpexchanges humio influx info jmx jolokia kairos'],
  ['management', 'logging metrics.binders metrics.client metrics.data metrics.distribution'],
  ['management', 'metrics.enable metrics.export metrics.graphql metrics.mongo metrics.system'],
  ['management', 'metrics.tags metrics.use-global-registry metrics.web newrelic observations'],
  ['management', 'opentelemetry otlp prometheus security server shell signalfx simple ssl'],
  ['management', 'stackdriver statsd trace tracing wavefront zipkin'],
  ['encrypt', 'fail-on-error'],
];

/** The first matching row wins. */
export const MIGRATION_ROWS: readonly MigrationRow[] = [
  ...SPRING_ROWS,
  ...CONFIG_SERVER_ROWS,
  ...CAS_ROWS,
  ...SOURCE_ROWS,
  ...CONFIG_SERVER_LEFT_ROWS,
  ...MANAGEMENT_ROWS,
  ...LEFT_ROWS,
  renamed('server', ['config-server', 'sso']),
  renamed('cas', 'sso'),
  ...SHARED_SECTIONS.flatMap(([section, groups]) =>
    groups.split(' ').map((group) => renamed(`${section}.${group}`, section)),
  ),
];

/**
 * The row of a key, in each of Spring's spellings: `cas.authn.ldap[0].ldapUrl`.
 *
 * @param application whose settings it is for: rows that only the other one has do not count
 */
export function migrationRowOf(
  key: string,
  application: 'sso' | 'config-server',
): MigrationRow | undefined {
  const other = application === 'sso' ? 'config-server' : 'sso';
  const letters = lettersOf(key);
  return MIGRATION_ROWS.find(
    ({ there, here }) =>
      isAtOrBelow(letters, lettersOf(there)) &&
      (here.length === 0 || here.some((each) => !each.startsWith(`${other}.`))),
  );
}

function isAtOrBelow(key: string, group: string): boolean {
  return key.startsWith(group) && ['', '.', '['].includes(key.charAt(group.length));
}

function lettersOf(key: string): string {
  return normaliseKey(key)
    .replaceAll(/\[\d+\]/g, '')
    .replaceAll('-', '');
}
