// Describes the routes of environments and plain files, which one handler for all paths answers.
// @see docs/config-server.md, "Environments"
import { Controller, Get } from '@nestjs/common';
import {
  ANY_TEXT,
  type Content,
  response,
  serverErrors,
  TEXT_TYPE,
} from '../../../../test/support/openapi/answers.js';
import {
  describeRoutes,
  type Parameter,
  REFUSES_OTHERS,
  type Route,
  type Schema,
} from '../../../../test/support/openapi/describe.js';
import {
  APPLICATION,
  jsonError,
  LABEL,
  PROFILES,
  PROFILES_WITHOUT_HYPHEN,
  refusedCallers,
  SECURITY,
} from '../answers.openapi.js';
import { EnvironmentController } from './environment.controller.js';
import { JSON_TYPE, V2_TYPE } from './rendering/environment-json.js';

const FLATTENED_EXTENSIONS = ['yml', 'yaml', 'properties', 'json'] as const;

const ENVIRONMENT: Schema = {
  type: 'object',
  required: ['name', 'profiles', 'label', 'version', 'state', 'propertySources'],
  properties: {
    name: { type: 'string' },
    profiles: { type: 'array', items: { type: 'string' } },
    label: { type: ['string', 'null'] as never },
    version: { type: ['string', 'null'] as never, description: 'The commit, from git.' },
    state: { type: ['string', 'null'] as never },
    propertySources: {
      type: 'array',
      description: 'The source with the highest precedence first.',
      items: {
        type: 'object',
        required: ['name', 'source'],
        properties: {
          name: { type: 'string' },
          source: {
            type: 'object',
            description:
              'Flat keys. In the second version also `{"value":…,"origin":"line:column"}`.',
          },
        },
      },
    },
  },
};
const ENVIRONMENTS: Content = {
  [JSON_TYPE]: { schema: ENVIRONMENT },
  [V2_TYPE]: { schema: ENVIRONMENT },
};
const FILES: Content = {
  [TEXT_TYPE]: { schema: ANY_TEXT },
  [JSON_TYPE]: { schema: {} },
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
};

const CONDITION: Parameter = {
  name: 'If-None-Match',
  description: 'An `ETag`: 304 if the answer is unchanged.',
  schema: ANY_TEXT,
};
const RESOLVES: Parameter = {
  name: 'resolvePlaceholders',
  description: '`false` keeps `${…}`.',
  schema: { type: 'string', example: 'false' },
};
const USE_DEFAULT_LABEL: Parameter = {
  name: 'useDefaultLabel',
  description: 'With any value, the path has no label: what follows the profile is a file.',
  schema: ANY_TEXT,
};
const FILE: Parameter = {
  name: 'path',
  description: 'The path of a file below the root of the backend. It may contain slashes.',
  schema: {
    type: 'string',
    pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\\%;.][^\u0000-\u001f\u007f-\u009f\\%;]*$`,
    example: 'nginx.conf',
  },
};

/** @param more headers besides `ETag` */
function found(content: Content, ...more: readonly ('Vary' | 'Last-Modified')[]) {
  return [
    response(200, 'Found.', content, ['Cache-Control', 'X-Content-Type-Options', 'ETag', ...more]),
    response(304, 'Unchanged since the `ETag`.', undefined, ['Cache-Control', 'ETag', ...more]),
  ];
}

const REFUSALS: readonly MethodDecorator[] = [
  jsonError(400, 'An invalid name in the path, or a malformed query.'),
  ...refusedCallers(jsonError),
  jsonError(404, 'No such path, file or label.'),
  ...serverErrors(jsonError),
];
const NOT_ACCEPTABLE = jsonError(406, 'No media type that the caller accepts.');

const COMMON = { tag: 'environments', answersHead: true, security: SECURITY } as const;

/** Paths that {@link EnvironmentController} tells apart by itself. */
@Controller()
export class EnvironmentRoutes {
  @Get(':application/:profiles')
  environment(): void {}

  @Get(':application/:profiles/:label')
  labelled(): void {}

  @Get(':application/:profiles/:label/:path')
  file(): void {}

  @Get(FLATTENED_EXTENSIONS.slice(0, 3).map((each) => `:application-:profiles.${each}`))
  text(): void {}

  @Get(FLATTENED_EXTENSIONS.slice(0, 3).map((each) => `:label/:application-:profiles.${each}`))
  labelledText(): void {}

  @Get(':application-:profiles.json')
  json(): void {}

  @Get(':label/:application-:profiles.json')
  labelledJson(): void {}
}

function flattened(content: Content, ...label: readonly Parameter[]): Route {
  return {
    ...COMMON,
    summary: 'An environment as one set of properties',
    description: 'The last hyphen separates the application from the profiles.',
    path: [...label, APPLICATION, { ...PROFILES, schema: PROFILES_WITHOUT_HYPHEN }],
    query: [RESOLVES],
    headers: [CONDITION],
    answers: [...found(content), ...REFUSALS],
  };
}

const TEXT_FORMS: Content = { [TEXT_TYPE]: { schema: ANY_TEXT } };
const JSON_FORM: Content = { [JSON_TYPE]: { schema: {} } };

describeRoutes(EnvironmentRoutes, {
  environment: {
    ...COMMON,
    summary: 'An environment as a list of sources',
    path: [APPLICATION, PROFILES],
    headers: [CONDITION],
    answers: [...found(ENVIRONMENTS, 'Vary'), NOT_ACCEPTABLE, ...REFUSALS],
  },
  labelled: {
    ...COMMON,
    summary: 'An environment of a label, or a plain file without a label',
    path: [APPLICATION, PROFILES, LABEL],
    query: [USE_DEFAULT_LABEL, RESOLVES],
    headers: [CONDITION],
    answers: [...found({ ...FILES, ...ENVIRONMENTS }, 'Vary'), NOT_ACCEPTABLE, ...REFUSALS],
  },
  file: {
    ...COMMON,
    summary: 'A plain file',
    description: 'With placeholders resolved. Requires the permission `files`.',
    path: [APPLICATION, PROFILES, LABEL, FILE],
    query: [USE_DEFAULT_LABEL, RESOLVES],
    headers: [CONDITION],
    answers: [...found(FILES, 'Vary'), NOT_ACCEPTABLE, ...REFUSALS],
  },
  text: flattened(TEXT_FORMS),
  labelledText: flattened(TEXT_FORMS, LABEL),
  json: flattened(JSON_FORM),
  labelledJson: flattened(JSON_FORM, LABEL),
});

describeRoutes(EnvironmentController, { answer: REFUSES_OTHERS });
