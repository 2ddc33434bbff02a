// Holds the OpenAPI documents to the routes and the constants of the code. schemathesis compares them with the answers of
// the programs: `npm run test:clients`.
import { readFile } from 'node:fs/promises';
import { Module, type DynamicModule, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '@tessera/audit';
import { loadSettings, SettingsModule } from '@tessera/config';
import { managementPath, ProcessPartsModule } from '@tessera/server';
import { apiDescription as describeConfigServer } from '../apps/config-server/src/api-description.js';
import { AppModule as ConfigServerModule } from '../apps/config-server/src/app.module.js';
import { apiDescription as describeSso } from '../apps/sso/src/api-description.js';
import { AppModule as SsoModule } from '../apps/sso/src/app.module.js';
import type { ModuleName } from '../apps/sso/src/settings/module-names.js';
import { MESSAGE_STATES } from '../apps/sso/src/operator/logout-messages/logout-messages-api.controller.js';
import { OperatorApiModule } from '../apps/sso/src/operator/operator.module.js';
import { NAMESPACES } from '../apps/sso/src/settings/namespaces.js';
import { REFUSAL_REASONS } from '../apps/sso/src/operator/services/judgements.js';
import {
  MAX_SERVICE_LENGTH,
  MAX_TICKET_LENGTH,
} from '../apps/sso/src/protocol/protocol-parameters.js';
import { SsoSettings } from '../apps/sso/src/settings/sso-settings.js';
import { configServerSettings } from './support/config-server.js';
import { FIXED_PARTS, newCounts } from './support/process-parts.js';

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const SSO = 'apps/sso/src/openapi.yaml';
const OPERATOR = 'apps/sso/src/operator/openapi.yaml';
const CONFIG_SERVER = 'apps/config-server/src/openapi.yaml';
/** The other keys of a path are no operations. HEAD is described in words. */
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

async function documentIn(file: string): Promise<OpenApiDocument> {
  return parse(await readFile(file, 'utf8'), { maxAliasCount: -1 }) as OpenApiDocument;
}

/** Creates no provider, so it needs neither a database nor a port. @returns `GET /v1/tickets/{}`; `ALL` for all methods */
@Module({})
class TestModule {}

async function routesOf(module: DynamicModule): Promise<readonly string[]> {
  const options = { preview: true, logger: false, abortOnError: false } as const;
  const app = await NestFactory.create(module, new ExpressAdapter(), options);
  const controllers = [...app.get(ModulesContainer).values()].flatMap((each) => [
    ...each.controllers.values(),
  ]);
  const read = (key: string, target: object) => Reflect.getMetadata(key, target) as unknown;
  return controllers.flatMap(({ metatype }) => {
    const prototype = (metatype as { readonly prototype: Record<string, object> }).prototype;
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name] ?? {};
      const method = read(METHOD_METADATA, handler) as RequestMethod | undefined;
      // A handler for HEAD refuses it.
      if (method === undefined || method === RequestMethod.HEAD) return [];
      const below = [read(PATH_METADATA, handler) as string | string[]].flat();
      const prefix = read(PATH_METADATA, metatype as object) as string;
      return below.map((path) => `${RequestMethod[method]} ${normalised(`${prefix}/${path}`)}`);
    });
  });
}

/** `/v1/tickets/{}` of `v1/tickets/:tgt`. */
function normalised(path: string): string {
  const segments = path.split('/').filter((each) => each !== '' && each !== managementPath(''));
  return `/${segments.join('/')}`.replaceAll(/[:*]\w+|\{[^}]*\}/g, '{}');
}

async function ssoModule(): Promise<DynamicModule> {
  const argv = ['--profiles.active=dev', '--sso.modules=login,rest,rest-services'];
  const { settings } = await loadSettings(SsoSettings, { application: 'sso', env: {}, argv });
  return SsoModule.forRoot(settings, FIXED_PARTS);
}

/** The routes of the management listener are in the same application, below a prefix that callers do not see. */
async function operatorModule(): Promise<DynamicModule> {
  const argv = ['--profiles.active=dev'];
  const { settings } = await loadSettings(SsoSettings, { application: 'sso', env: {}, argv });
  const imports = [
    SettingsModule.forRoot(settings, NAMESPACES),
    ProcessPartsModule.forRoot(FIXED_PARTS),
  ];
  return { module: TestModule, imports: [...imports, OperatorApiModule] };
}

async function configServerModule(): Promise<DynamicModule> {
  return ConfigServerModule.forRoot(await configServerSettings([]), {
    ...FIXED_PARTS,
    ...newCounts(),
  });
}

describe.each([
  // Express serves the assets from directories.
  { file: SSO, create: ssoModule, catchAll: [], withoutHandler: ['GET /assets/{}'] },
  { file: OPERATOR, create: operatorModule, catchAll: [], withoutHandler: [] },
  // One handler tells the paths of environments apart.
  {
    file: CONFIG_SERVER,
    create: configServerModule,
    catchAll: ['ALL /{}'],
    withoutHandler: [
      'GET /{}-{}.json',
      'GET /{}-{}.properties',
      'GET /{}-{}.yaml',
      'GET /{}-{}.yml',
      'GET /{}/{}',
      'GET /{}/{}-{}.json',
      'GET /{}/{}-{}.properties',
      'GET /{}/{}-{}.yaml',
      'GET /{}/{}-{}.yml',
      'GET /{}/{}/{}',
      'GET /{}/{}/{}/{}',
    ],
  },
])('$file', ({ file, create, catchAll, withoutHandler }) => {
  test('describes every route, and no other', async () => {
    const routes = new Set(await routesOf(await create()));
    const { paths } = await documentIn(file);
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => METHODS.has(key))
        .map((method) => `${method.toUpperCase()} ${normalised(path)}`),
    );
    const ofAll = (route: string) => route.replace(/^\w+/, 'ALL');
    const known = new Set(described.flatMap((each) => [each, ofAll(each)]));
    expect([...routes].filter((each) => !known.has(each))).toEqual(catchAll);
    expect(
      described.filter((each) => !routes.has(each) && !routes.has(ofAll(each))).toSorted(),
    ).toEqual(withoutHandler);
  });

  test('refers to components that exist, and has no others', async () => {
    const document = await documentIn(file);
    const { securitySchemes: _schemes, ...components } = document.components;
    const names = Object.entries(components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
    );
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    const referred = new Set(Array.from(references, ([, reference]) => reference));
    expect([...referred].toSorted()).toEqual(names.toSorted());
  });
});

test('the documents have the limits and enumerations of the code', async () => {
  expect((await documentIn(SSO)).components['schemas']).toMatchObject({
    Service: { maxLength: MAX_SERVICE_LENGTH },
    Ticket: { maxLength: MAX_TICKET_LENGTH },
  });
  expect((await documentIn(OPERATOR)).components['schemas']).toMatchObject({
    AuditAction: { enum: [...AUDIT_ACTIONS] },
    AuditOutcome: { enum: [...AUDIT_OUTCOMES] },
    MessageState: { enum: [...MESSAGE_STATES] },
    RefusalReason: { enum: [...REFUSAL_REASONS] },
  });
});

describe('a running application is described', () => {
  const baseUrl = 'https://example.org/cas';

  test.each<[moduleNames: ModuleName[], its: string[]]>([
    [[], []],
    [['login'], ['/assets/theme.css', '/assets/{file}', '/login', '/login/sessions', '/logout']],
    [['rest'], ['/v1/tickets', '/v1/tickets/{ticket}']],
    [['rest-services'], ['/v1/services/add/{tgt}']],
  ])('with the routes of modules %j', async (moduleNames, its) => {
    const { paths } = await describeSso({ baseUrl, moduleNames });
    const { paths: minimal } = await describeSso({ baseUrl, moduleNames: [] });
    expect(
      Object.keys(paths)
        .filter((path) => !(path in minimal))
        .toSorted(),
    ).toEqual(its);
    expect(minimal).toHaveProperty(['/validate', 'get']);
  });

  test('with its base URL', async () => {
    const sso = await describeSso({ baseUrl, moduleNames: [] });
    for (const description of [sso, await describeConfigServer(baseUrl)]) {
      expect(description).toMatchObject({ openapi: '3.1.0', servers: [{ url: baseUrl }] });
    }
  });
});
