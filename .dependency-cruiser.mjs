// The architecture as rules: who may import whom, and which package has which home.
// What the rules cannot see (text inside a file) is in tools/check-sources.ts.
// Each rule is proved to fire by test/architecture/rules.spec.ts.

const SPEC = String.raw`\.spec\.ts$`;
/** Specs, and the conformance suites that the specs of a port's implementations run. */
const TEST = String.raw`\.(spec|conformance)\.ts$`;

/** What each library may import of the others. Applications may import every library. */
const DIRECTIONS = {
  crypto: ['runtime'],
  logging: [],
  runtime: [],
  'property-sources': [],
  vault: ['logging', 'property-sources', 'runtime'],
  config: ['vault', 'crypto', 'logging', 'property-sources', 'runtime'],
  database: ['logging', 'runtime'],
  'embedded-postgres': ['runtime'],
  server: ['config', 'crypto', 'logging', 'runtime'],
  metrics: ['audit', 'config', 'crypto', 'logging', 'runtime', 'server', 'tracing', 'vault'],
  tracing: ['database', 'logging', 'runtime', 'server'],
  services: ['crypto', 'database', 'logging', 'runtime'],
  audit: ['config', 'database', 'logging', 'runtime'],
  accounts: ['crypto', 'database', 'logging', 'runtime'],
  certificates: ['logging', 'runtime'],
  ldap: ['logging', 'runtime'],
  'signing-keys': ['crypto', 'database', 'logging', 'runtime'],
  throttling: ['crypto', 'database', 'logging', 'runtime'],
  tickets: ['services', 'crypto', 'database', 'logging', 'runtime'],
};

/** Folders in the order of their imports: each may import those before it. */
const FOLDERS = {
  'libs/config/src': ['settings', 'remote', 'reload'],
  'libs/server/src': [
    'errors',
    'addresses',
    'answers',
    'requests',
    'rate-limit',
    'tls',
    'listeners',
    'application',
    'process',
    'endpoints',
  ],
  'apps/config-server/src': [
    'settings',
    'database',
    'audit',
    'backends',
    'callers',
    'errors',
    'environment',
    'encryption',
    'monitor',
    'metrics',
    'tracing',
    'process',
  ],
};

/** Packages with one home, so that replacing one touches one place. */
const HOMES = {
  re2js: ['libs/services'],
  '@node-rs/argon2': ['libs/crypto'],
  '@node-rs/bcrypt': ['libs/crypto'],
  '@peculiar/x509': ['libs/certificates', 'test'],
  ldapts: ['libs/ldap'],
  pino: ['libs/logging'],
  'node-forge': ['libs/crypto'],
  yaml: ['libs/config', 'libs/property-sources', 'libs/server'],
  'dot-properties': ['libs/property-sources'],
  'node-vault': ['libs/vault'],
  'lru-cache': ['apps/config-server', 'apps/sso', 'libs/services', 'libs/throttling'],
  '@nestjs/config': ['libs/config', 'test'],
  '@nestjs/throttler': ['libs/server', 'libs/throttling', 'test'],
  'class-transformer': ['apps/sso'],
  commander: ['apps/cli'],
  saxes: ['apps/sso', 'libs/property-sources'],
  '@opentelemetry': ['libs/tracing'],
  'http-cas-client': ['apps/demo'],
  jose: ['apps/demo'],
  'oidc-provider': ['apps/sso/src/oidc'],
  'openid-client': ['apps/demo'],
  'prom-client': ['libs/metrics'],
  i18next: ['apps/sso/src/login'],
  liquidjs: ['apps/sso/src/login'],
  react: ['apps/console'],
  'react-dom': ['apps/console'],
  'react-aria-components': ['apps/console'],
};

/** Code that settings switch on: the folders of optional modules, and libraries that only they need. */
const OPTIONAL = [
  '^apps/sso/src/(login|logout|oidc|rest|rest-services|rest-x509)/',
  // Requests for a reload come to the public listener, which every start has.
  '^apps/sso/src/operator/(?!access/|operator-refresh\\.)',
  '^apps/sso/src/authentication/ldap-',
  '^apps/(sso|config-server)/src/(metrics|tracing)/',
  '^apps/config-server/src/(backends/(git|vault|postgres)/|database/(open-database|lazy-data-source)|audit/config-audit-trail)',
  '^libs/(certificates|ldap|metrics|signing-keys|tracing|vault)/',
];

const directions = Object.entries(DIRECTIONS).map(([library, allowed]) => ({
  name: `direction-of-${library}`,
  comment: `libs/${library} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other library'}.`,
  severity: 'error',
  from: { path: `^libs/${library}/` },
  to: { path: '^libs/', pathNot: `^libs/(${[library, ...allowed].join('|')})/` },
}));

const foldersInOrder = Object.entries(FOLDERS).flatMap(([root, names]) =>
  names.map((name, index) => {
    const allowed = names.slice(0, index + 1);
    return {
      name: 'folders-in-order',
      comment: 'Folders import each other in one direction: see FOLDERS in this file.',
      severity: 'error',
      from: { path: `^${root}/${name}/`, pathNot: SPEC },
      to: { path: `^${root}/[^/]+/`, pathNot: `^${root}/(${allowed.join('|')})/` },
    };
  }),
);

const homes = Object.entries(HOMES).map(([name, folders]) => ({
  name: `home-of-${name.replace(/^@/, '').replace('/', '-')}`,
  comment: `Only ${folders.join(', ')} may import ${name}.`,
  severity: 'error',
  from: { path: '^(apps|libs)/', pathNot: `^(${folders.join('|')})/` },
  to: { path: inPackage(name) },
}));

export default {
  forbidden: [
    ...directions,
    ...foldersInOrder,
    ...homes,
    {
      name: 'direction-of-unlisted-library',
      comment: 'A new library states what it may import: add it to DIRECTIONS in this file.',
      severity: 'error',
      from: { path: '^libs/', pathNot: `^libs/(${Object.keys(DIRECTIONS).join('|')})/` },
      to: {},
    },
    {
      name: 'library-imports-no-application',
      comment: 'Libraries know nothing of the applications that use them.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'application-imports-no-application',
      comment: 'What two applications need belongs in a library.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'demo-stands-alone',
      comment: 'The demo shows an ordinary application: it has nothing of ours in it.',
      severity: 'error',
      from: { path: '^apps/demo/' },
      to: { path: '^libs/' },
    },
    {
      name: 'optional-module-loaded-at-need',
      comment:
        'What settings switch on is imported by `await import(…)`, so that no other start pays for it.',
      severity: 'error',
      from: { path: '^apps/(sso|config-server)/src/', pathNot: [...OPTIONAL, TEST] },
      to: { path: OPTIONAL, dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'handler-asked-by-the-authenticator-alone',
      comment: 'A credential that is checked by a handler alone is not throttled.',
      severity: 'error',
      from: {
        path: '^apps/sso/src/',
        pathNot: [
          '^apps/sso/src/authentication/(authentication\\.module|authentication-handlers|password-handlers)\\.ts$',
          '^apps/sso/src/rest-x509/',
          TEST,
        ],
      },
      to: { path: '-handlers?\\.ts$', pathNot: 'authentication-handler\\.ts$' },
    },
    {
      name: 'library-entered-by-its-index',
      comment: 'Import `@tessera/<library>`; what its index.ts does not list is its own affair.',
      severity: 'error',
      from: { path: '^(libs/[^/]+|[^/]+)/' },
      to: {
        path: '^libs/',
        pathNot: ['^$1/', '^libs/[^/]+/src/index\\.ts$', '^libs/tickets/src/postgres/'],
      },
    },
    {
      name: 'registry-entered-by-the-floor-alone',
      comment: "The benchmark's floor runs the registry's own statements; nobody else meets them.",
      severity: 'error',
      from: { pathNot: ['^libs/tickets/', '^bench/src/floor\\.ts$'] },
      to: { path: '^libs/tickets/src/postgres/' },
    },
    {
      name: 'library-entered-by-its-name',
      comment: 'Write `@tessera/<library>`, not a path that climbs out of the folder.',
      severity: 'error',
      from: { path: '^(?:apps|libs)/([^/]+)/' },
      to: { path: '^libs/', pathNot: '^libs/$1/', dependencyTypesNot: ['aliased'] },
    },
    {
      name: 'library-does-not-import-itself-by-name',
      comment: 'Inside a library imports are relative; its index.ts is for others.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/$1/', dependencyTypes: ['aliased'] },
    },
    {
      name: 'no-cycle',
      comment: 'Modules that import each other cannot be understood one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan',
      comment: 'Nothing imports this module and it imports nothing: use it or remove it.',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(apps|libs)/',
        pathNot: [SPEC, '/src/main\\.ts$', '\\.config\\.ts$'],
      },
      to: {},
    },
    {
      name: 'resolvable',
      comment: 'The import leads nowhere: a missing file or an undeclared package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-dependency',
      comment: 'The package is not in package.json; it is here only because another brought it.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-development-dependency',
      comment: 'Code that is deployed may not need a package that is not (types excepted).',
      severity: 'error',
      // The console is built into files that need no package.
      from: { path: '^(apps|libs)/', pathNot: ['^apps/console/', TEST] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-code-in-production',
      comment: 'test/, bench/, tools/ and specs are never imported by what is deployed.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: TEST },
      to: { path: [TEST, '^(test|bench|tools)/'] },
    },
    {
      name: 'no-spec-imports-spec',
      comment: 'What two specs need belongs in test/support.',
      severity: 'error',
      from: { path: SPEC },
      to: { path: SPEC },
    },
    {
      name: 'spec-imports-support-alone',
      comment: 'A spec beside its source may import test/support and nothing else of test/.',
      severity: 'error',
      from: { path: `^(apps|libs)/.*${SPEC}` },
      to: { path: '^(test|bench|tools)/', pathNot: '^test/support/' },
    },
    {
      name: 'bench-imports-libraries-alone',
      comment:
        'The benchmark measures applications from outside. It starts PostgreSQL as the tests do.',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^(apps|test|tools)/', pathNot: '^test/support/' },
    },
    {
      name: 'tools-stand-alone',
      comment: 'The checks of the repository do not run the code they check.',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^(apps|libs|test|bench)/' },
    },
    {
      name: 'vault-client-in-one-file',
      comment: 'node-vault leaks tokens in its errors: one file wraps it, nobody else meets it.',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      module: { path: inPackage('node-vault'), numberOfDependentsMoreThan: 1 },
    },
    {
      name: 'database-driver-where-sql-may-live',
      comment:
        'pg and typeorm belong to libs/database, libs/embedded-postgres, stores, registries and entities.',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: [
          '^libs/(database|embedded-postgres)/',
          '^libs/(tickets|services|accounts)/src/(postgres|registry)/',
          '^libs/(tickets|services|accounts|throttling|audit)/src/.*(store|registry)\\.ts$',
          '\\.entity\\.ts$',
          '^apps/config-server/src/backends/postgres/properties-store\\.ts$',
          TEST,
        ],
      },
      to: { path: [inPackage('pg'), inPackage('typeorm')], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-framework-where-requests-are',
      comment:
        'Domain code is plain TypeScript: Nest and HTTP are for modules (*.module.ts), stores, server, logging and the HTTP client.',
      severity: 'error',
      from: {
        path: '^libs/',
        pathNot: [
          '^libs/(server|logging)/',
          '^libs/metrics/src/http-metrics\\.ts$',
          '^libs/runtime/src/http-client',
          '(\\.module|-store)\\.ts$',
          TEST,
        ],
      },
      to: {
        path: [inPackage('@nestjs/[^/]+'), inPackage('express'), '^(node:)?https?$'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The scripts of pages are for browsers; the client of the console is generated.
    exclude: {
      path: [
        '(^|/)(dist|coverage|\\.data)/',
        '^apps/sso/src/login/public/',
        '^apps/console/src/api/generated/',
      ],
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types', 'default'],
      mainFields: ['main', 'types'],
    },
    progress: { type: 'none' },
  },
};

/** A pattern for the files of an npm package, and for its name where it does not resolve. */
function inPackage(name) {
  return `(^|node_modules/)(@types/)?${name}(/|$)`;
}
