// Makes the OpenAPI document of an application from its modules and the descriptions of its routes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import prettier from 'prettier';
import { HEADERS } from './answers.js';
import { ANSWERS_HEAD, METHODS, MODULE, NAMES } from './describe.js';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']> & Record<string, unknown>;
type Operations = Record<string, Operation>;

/** Nest lists a handler of all methods once for each. */
const SAFE = ['get', 'head'];

export interface Described {
  readonly title: string;
  readonly description: string;
  readonly baseUrl: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly module: DynamicModule;
  /** Controllers that exist in the document alone: routes that the application answers without a handler of their own. */
  readonly controllers: readonly Type[];
}

@Module({})
class DescribedModule {}

/** Starts nothing: Nest creates no provider of the application in its preview mode. */
export async function documentOf(described: Described): Promise<OpenAPIObject> {
  const module = {
    module: DescribedModule,
    imports: [described.module],
    controllers: [...described.controllers],
  };
  const options = { preview: true, logger: false, abortOnError: false } as const;
  const app = await NestFactory.create(module, new ExpressAdapter(), options);
  const document = SwaggerModule.createDocument(app, configOf(described), {
    autoTagControllers: false,
  });
  const paths: Record<string, Operations> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item as Operations)) {
      const name = renamed(path, operation);
      const operations = operationsOf(name, method, operation);
      if (Object.keys(operations).length > 0) paths[name] = { ...paths[name], ...operations };
    }
  }
  const { schemas: _none, ...components } = document.components ?? {};
  return {
    ...document,
    paths,
    components: { ...components, headers: HEADERS },
  };
}

function configOf({ title, description, baseUrl, tags }: Described): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(description)
    .setVersion('0.1.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(baseUrl)
    .addBasicAuth({ type: 'http', scheme: 'basic' }, 'basic')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer');
  for (const [name, text] of Object.entries(tags)) builder.addTag(name, text);
  return builder.build();
}

function renamed(path: string, operation: Operation): string {
  const names = (operation[NAMES] ?? {}) as Readonly<Record<string, string>>;
  return path.replaceAll(/(?<=\{)\w+(?=\})/g, (name) => names[name] ?? name);
}

/** The operation of one method and, if it is answered, HEAD; nothing for a method that is refused. */
function operationsOf(path: string, method: string, operation: Operation): Operations {
  const {
    [METHODS]: methods,
    [ANSWERS_HEAD]: answersHead,
    [MODULE]: module,
    [NAMES]: _names,
    ...rest
  } = operation as Operation & {
    [METHODS]?: { list: string[] };
    [MODULE]?: { name: string };
  };
  if (methods !== undefined && !methods.list.includes(method)) return {};
  if (!rest.summary) {
    throw new Error(`${method} ${path}: describe it in *.openapi.ts beside its controller`);
  }
  const common: Operation = {
    ...rest,
    parameters: rest.parameters?.filter(isIn(path)) ?? [],
    operationId: operationIdOf(method, path),
    ...(module && { [MODULE]: module.name }),
  };
  const described = methods ? ofMethod(method, common) : common;
  return { [method]: described, ...(answersHead !== undefined && { head: headOf(described) }) };
}

/** A handler of several paths describes the parameters of all. */
function isIn(path: string): (parameter: object) => boolean {
  return (parameter) => {
    const { in: place, name } = parameter as { in: string; name: string };
    return place !== 'path' || path.includes(`{${name}}`);
  };
}

/** `get_v1_tickets_ticket`: it does not change with the names in the code. */
function operationIdOf(method: string, path: string): string {
  const words = path.match(/[A-Za-z0-9]+/g) ?? ['root'];
  return [method, ...words].join('_');
}

/** A handler of all methods takes parameters from the query, and with POST also from a form. */
function ofMethod(method: string, operation: Operation): Operation {
  const { requestBody, ...rest } = operation;
  if (SAFE.includes(method)) return rest;
  if (requestBody === undefined) return operation;
  const parameters = operation.parameters?.map((parameter) =>
    'in' in parameter && parameter.in === 'query' ? { ...parameter, required: false } : parameter,
  );
  return { ...operation, ...(parameters && { parameters }) };
}

function headOf(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, answer]) => {
    const { content: _none, ...rest } = answer as { content?: unknown };
    return [status, rest];
  });
  return {
    ...operation,
    operationId: String(operation.operationId).replace('get_', 'head_'),
    summary: `${operation.summary} (without the body)`,
    responses: Object.fromEntries(responses) as Operation['responses'],
  };
}

/** With `UPDATE_OPENAPI=1` writes the committed document first. @returns it as text, and as it should be */
export async function compareDocument(
  folder: 'sso/src' | 'sso/src/operator' | 'config-server/src',
  document: OpenAPIObject,
): Promise<{ readonly committed: string; readonly expected: string }> {
  const file = join(import.meta.dirname, `../../../apps/${folder}/openapi.json`);
  const expected = await prettier.format(JSON.stringify(document), {
    parser: 'json',
    ...(await prettier.resolveConfig(file)),
  });
  if (process.env['UPDATE_OPENAPI'] === '1') await writeFile(file, expected);
  return { committed: await readFile(file, 'utf8'), expected };
}
