// Describes the routes of controllers in the terms of OpenAPI. The decorators of `@nestjs/swagger` are called as functions
// from `*.openapi.ts` files, so that the running programs do not load that package.
import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExcludeEndpoint,
  ApiExtension,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { ModuleName } from '../../../apps/sso/src/module-names.js';

/** A JSON Schema. */
export type Schema = NonNullable<
  Extract<Parameters<typeof ApiBody>[0], { schema: unknown }>['schema']
>;

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** Default: path parameters are required, others are not. */
  readonly required?: boolean;
  readonly example?: string;
}

export interface Body {
  readonly description: string;
  readonly types: readonly string[];
  readonly schema: Schema;
  readonly required?: boolean;
  readonly examples?: Readonly<
    Record<string, { readonly summary: string; readonly value: unknown }>
  >;
}

export interface Route {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Methods of a handler for all methods that are not refused. */
  readonly methods?: readonly ('get' | 'post')[];
  /** HEAD has the answer of GET, without its body. */
  readonly answersHead?: boolean;
  /**
   * Other names for path parameters. Two routes of one path must have the same names in a document; in the code they may
   * differ, and metrics tell the routes apart by them.
   */
  readonly names?: Readonly<Record<string, string>>;
  readonly path?: readonly Parameter[];
  readonly query?: readonly Parameter[];
  readonly headers?: readonly Parameter[];
  readonly body?: Body;
  /** Security schemes, of which one is enough. */
  readonly security?: readonly string[];
  readonly answers: readonly MethodDecorator[];
}

/** Extensions that {@link documentOf} reads and removes. */
export const METHODS = 'x-methods';
export const ANSWERS_HEAD = 'x-answers-head';
export const NAMES = 'x-names';
/** Extension in the documents: the module of `sso.modules` that has the route. */
export const MODULE = 'x-tessera-module';

/** A handler that refuses other methods with 405. It is not in the document. */
export const REFUSES_OTHERS: Route = { tag: '', summary: '', answers: [ApiExcludeEndpoint()] };

type Handlers<T> = { readonly [K in keyof T]?: Route };

/** @param module of `sso.modules`; undefined for routes that are always there */
export function describeRoutes<T extends object>(
  controller: Type<T>,
  handlers: Handlers<T>,
  module?: ModuleName,
): void {
  for (const [name, route] of Object.entries<Route | undefined>(handlers)) {
    const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, name);
    if (route === undefined || descriptor === undefined) throw new Error(`no handler ${name}`);
    decoratorOf(route, module)(controller.prototype as object, name, descriptor);
  }
}

function decoratorOf(route: Route, module: ModuleName | undefined): MethodDecorator {
  const { tag, summary, description, path = [], query = [], headers = [], security = [] } = route;
  return applyDecorators(
    ...(tag === '' ? [] : [ApiTags(tag)]),
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    ...path.map((parameter) => ApiParam({ required: true, ...parameter })),
    ...query.map((parameter) => ApiQuery({ required: false, ...parameter })),
    ...headers.map(({ example, schema, ...parameter }) =>
      ApiHeader({
        required: false,
        ...parameter,
        schema: { ...schema, ...(example && { example }) },
      }),
    ),
    ...(route.body ? bodyOf(route.body) : []),
    ...security.map((scheme) => ApiSecurity(scheme)),
    ...(route.methods ? [ApiExtension(METHODS, { list: [...route.methods] })] : []),
    ...(route.names ? [ApiExtension(NAMES, { ...route.names })] : []),
    ...(route.answersHead ? [ApiExtension(ANSWERS_HEAD, { yes: true })] : []),
    ...(module === undefined ? [] : [ApiExtension(MODULE, { name: module })]),
    ...route.answers,
  );
}

function bodyOf({ types, examples, ...body }: Body): readonly MethodDecorator[] {
  return [
    ApiConsumes(...types),
    ApiBody({ ...body, ...(examples && { examples: { ...examples } }) }),
  ];
}
