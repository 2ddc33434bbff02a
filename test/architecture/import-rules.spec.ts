// Plants one violation for each kind of rule of .dependency-cruiser.mjs and expects it to be reported, so that a rule
// whose pattern no longer matches anything is found out.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CHECKOUT, type Files, PlantedTree } from './planted-tree.js';

const CONFIGURATION = '.dependency-cruiser.mjs';
const LIBRARIES = [
  'accounts',
  'audit',
  'certificates',
  'config',
  'crypto',
  'database',
  'ldap',
  'logging',
  'property-sources',
  'server',
  'services',
  'throttling',
  'tickets',
  'vault',
];
const PACKAGES = ['@nestjs/common', 'commander', 'node-vault', 'pg', 're2js', 'typeorm'];
const DEVELOPMENT_PACKAGES = ['fast-check'];

/** The rules expected of a file, and what the file holds. */
type Plant = readonly [path: string, text: string, ...rules: readonly string[]];

const PLANTS: readonly Plant[] = [
  // One of each kind stands for the others, which are made of the same table.
  ['libs/crypto/src/a.ts', "export * from '@tessera/logging';", 'direction-of-crypto'],
  ['libs/newcomer/src/a.ts', "export * from '@tessera/crypto';", 'direction-of-unlisted-library'],
  ['libs/config/src/settings/a.ts', "export * from '../reload/part.js';", 'folders-in-order'],
  ['apps/sso/src/home/re2js.ts', "export * from 're2js';", 'home-of-re2js'],
  ['apps/sso/src/home/vault.ts', "export * from 'node-vault';", 'home-of-node-vault'],
  ['libs/vault/src/client.ts', "export * from 'node-vault';"], // the second, so:
  ['node_modules/node-vault/index.js', '', 'vault-client-in-one-file'],

  [
    'libs/tickets/src/b.ts',
    "export * from '../../../apps/sso/src/part.js';",
    'library-imports-no-application',
  ],
  [
    'apps/sso/src/neighbour.ts',
    "export * from '../../config-server/src/part.js';",
    'application-imports-no-application',
  ],
  ['apps/demo/src/ours.ts', "export * from '@tessera/server';", 'demo-stands-alone'],
  ['apps/sso/src/eager.ts', "export * from './rest/part.js';", 'optional-module-loaded-at-need'],
  [
    'apps/sso/src/login/login.ts',
    "export * from '../authentication/static-handler.js';",
    'handler-asked-by-the-authenticator-alone',
  ],
  [
    'apps/sso/src/login/login2.ts',
    "export * from '../authentication/password-handlers.js';",
    'handler-asked-by-the-authenticator-alone',
  ],
  [
    'libs/tickets/src/c.ts',
    "export * from '../../crypto/src/part.js';",
    'library-entered-by-its-index',
    'library-entered-by-its-name',
  ],
  ['test/inside.spec.ts', "import '../libs/crypto/src/part.js';", 'library-entered-by-its-index'],
  [
    'bench/src/load.ts',
    "import '../../libs/tickets/src/postgres/statements.js';",
    'registry-entered-by-the-floor-alone',
  ],
  [
    'libs/tickets/src/d.ts',
    "export * from '../../crypto/src/index.js';",
    'library-entered-by-its-name',
  ],
  [
    'libs/tickets/src/e.ts',
    "export * from '@tessera/tickets';",
    'library-does-not-import-itself-by-name',
  ],
  ['libs/crypto/src/chicken.ts', "export * from './egg.js';", 'no-cycle'],
  ['libs/crypto/src/egg.ts', "export * from './chicken.js';"], // a cycle is reported once
  ['libs/crypto/src/orphan.ts', 'export const alone = true;', 'no-orphan'],
  ['libs/crypto/src/nowhere.ts', "export * from './missing.js';", 'resolvable'],
  ['libs/crypto/src/undeclared.ts', "export * from 'undeclared';", 'declared-dependency'],
  ['libs/crypto/src/dev.ts', "export * from 'fast-check';", 'no-development-dependency'],
  [
    'libs/crypto/src/tested.ts',
    "export * from '../../../test/support/part.js';",
    'no-test-code-in-production',
  ],
  [
    'libs/crypto/src/one.spec.ts',
    "import '../../../test/support/part.js';\nimport './four.spec.js';",
    'no-spec-imports-spec',
  ],
  [
    'libs/crypto/src/three.spec.ts',
    "import '../../../test/faults/part.js';",
    'spec-imports-support-alone',
  ],
  [
    'bench/main.ts',
    "import '@tessera/tickets';\nimport '../apps/sso/src/part.js';",
    'bench-imports-libraries-alone',
  ],
  ['tools/a.ts', "import '@tessera/crypto';", 'tools-stand-alone'],
  ['apps/sso/src/sql.ts', "export * from 'pg';", 'database-driver-where-sql-may-live'],
  [
    'libs/services/src/matching.ts',
    "import { DataSource } from 'typeorm';\nexport const source = DataSource;",
    'database-driver-where-sql-may-live',
  ],
  [
    'libs/tickets/src/web.ts',
    "export * from '@nestjs/common';",
    'web-framework-where-requests-are',
  ],
  ['libs/tickets/src/plain.ts', "export * from 'node:http';", 'web-framework-where-requests-are'],

  // What the same rules allow.
  ['apps/sso/src/source.ts', "import type { Pool } from 'pg';\nexport type P = Pool;"],
  ['apps/sso/src/lazy.ts', "export const rest = () => import('./rest/part.js');"],
  ['libs/services/src/service-store.ts', "export * from 'typeorm';"],
  ['libs/server/src/module.ts', "export * from '@nestjs/common';"],
  ['bench/src/floor.ts', "import '../../libs/tickets/src/postgres/statements.js';"],
  ['libs/tickets/src/f.ts', "export * from '@tessera/services';"],
  [
    'libs/crypto/src/four.spec.ts',
    "import 'fast-check';\nimport './part.js';\nimport './five.conformance.js';",
  ],
  ['libs/crypto/src/five.conformance.ts', "import 'fast-check';"],
  ['apps/cli/src/main.ts', "import 'commander';\nimport '@tessera/accounts';"],
];

describe('an import is reported by the rule it breaks', () => {
  let tree: PlantedTree;
  let reported: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    tree = await PlantedTree.create({
      ...groundFloor(),
      ...Object.fromEntries(PLANTS.map(([path, text]) => [path, text])),
    });
    reported = await cruise(tree);
  });
  afterAll(async () => tree.remove());

  test.each(PLANTS.map(([path, text, ...rules]) => ({ path, text, rules })))(
    '$path: $text → $rules',
    ({ path, rules }) => {
      expect(reported.get(path) ?? []).toEqual(rules.toSorted());
    },
  );

  test('nothing but the planted files is reported', () => {
    const planted = PLANTS.map(([path]) => path);
    expect([...reported.keys()].filter((path) => !planted.includes(path))).toEqual([]);
  });

  test('every kind of rule of the configuration has a planted violation', async () => {
    const module = (await import(join(CHECKOUT, CONFIGURATION))) as {
      default: { forbidden: readonly { name: string }[] };
    };
    const kindOf = (name: string): string => name.replace(/^(direction|home)-of-.*/, '$1');
    const planted = PLANTS.flatMap(([, , ...rules]) => rules.map(kindOf));
    const kinds = module.default.forbidden.map((rule) => kindOf(rule.name));
    expect(kinds.filter((kind) => !planted.includes(kind))).toEqual([]);
  });
});

/** Rules broken, sorted, by the file that breaks them. */
async function cruise(tree: PlantedTree): Promise<ReadonlyMap<string, readonly string[]>> {
  const outcome = await tree.run(
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    join(CHECKOUT, CONFIGURATION),
    '--output-type',
    'json',
    'apps',
    'libs',
    'test',
    'bench',
    'tools',
  );
  expect(outcome.stderr).toBe('');
  const report = JSON.parse(outcome.stdout) as {
    summary: { violations: readonly { from: string; to: string; rule: { name: string } }[] };
  };
  const found = new Map<string, Set<string>>();
  for (const { from, rule } of report.summary.violations) {
    found.set(from, (found.get(from) ?? new Set()).add(rule.name));
  }
  return new Map([...found].map(([path, rules]) => [path, [...rules].toSorted()]));
}

/** A repository in order: nothing in it breaks a rule. */
function groundFloor(): Files {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      type: 'module',
      dependencies: Object.fromEntries(PACKAGES.map((name) => [name, '*'])),
      devDependencies: Object.fromEntries(DEVELOPMENT_PACKAGES.map((name) => [name, '*'])),
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        moduleResolution: 'nodenext',
        paths: { '@tessera/*': ['./libs/*/src/index.ts'] },
      },
    }),
    'apps/sso/src/part.ts': "export * from '@tessera/tickets';",
    'apps/config-server/src/part.ts': "export * from '@tessera/config';",
    'test/support/part.ts': "export * from '@tessera/database';",
    'libs/tickets/src/postgres/statements.ts': "export * from 'pg';",
    'apps/sso/src/rest/part.ts': "export * from '@tessera/certificates';",
    'apps/sso/src/authentication/static-handler.ts': "export * from '@tessera/crypto';",
    'apps/sso/src/authentication/password-handlers.ts': "export * from '@tessera/crypto';",
    'test/faults/part.ts': "export * from '@tessera/database';",
    'libs/config/src/reload/part.ts': "export * from '@tessera/logging';",
    'libs/config/src/other.ts': "export * from './reload/part.js';",
  };
  for (const library of LIBRARIES) {
    files[`libs/${library}/src/index.ts`] = "export { part } from './part.js';";
    files[`libs/${library}/src/part.ts`] = 'export const part = true;';
  }
  for (const name of [...PACKAGES, ...DEVELOPMENT_PACKAGES, 'undeclared']) {
    files[`node_modules/${name}/package.json`] = JSON.stringify({ name, main: 'index.js' });
    files[`node_modules/${name}/index.js`] = '';
  }
  return files;
}
