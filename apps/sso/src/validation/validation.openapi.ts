// Describes the validation endpoints. @see docs/protocol.md, "Validation"
import {
  ANY_TEXT,
  answer,
  type Content,
  plain,
  TEXT_TYPE,
} from '../../../../test/support/openapi/answers.js';
import {
  type Body,
  describeRoutes,
  type Parameter,
  type Route,
  type Schema,
} from '../../../../test/support/openapi/describe.js';
import { MAX_SERVICE_LENGTH } from '../protocol-parameters.js';
import { FLAG, FORM, line, RENEW, SERVICE, TICKET } from '../parameters.openapi.js';
import { ValidationController } from './validation.controller.js';

const FAILURE_CODES = [
  'INVALID_REQUEST',
  'INVALID_TICKET',
  'INVALID_SERVICE',
  'UNAUTHORIZED_SERVICE',
  'UNAUTHORIZED_SERVICE_PROXY',
  'INVALID_PROXY_CALLBACK',
  'INTERNAL_ERROR',
];
const TEXTS: Schema = { type: 'array', items: { type: 'string' } };

const RESPONSE: Schema = {
  type: 'object',
  required: ['serviceResponse'],
  properties: {
    serviceResponse: {
      oneOf: [
        {
          type: 'object',
          required: ['authenticationSuccess'],
          properties: {
            authenticationSuccess: {
              type: 'object',
              required: ['user'],
              properties: {
                user: { type: 'string' },
                attributes: { type: 'object', additionalProperties: TEXTS },
                proxyGrantingTicket: { type: 'string', description: 'The PGTIOU.' },
                proxies: { ...TEXTS, description: 'Newest first.' },
              },
            },
          },
        },
        {
          type: 'object',
          required: ['authenticationFailure'],
          properties: {
            authenticationFailure: {
              type: 'object',
              required: ['code', 'description'],
              properties: {
                code: { type: 'string', enum: FAILURE_CODES },
                description: { type: 'string' },
              },
            },
          },
        },
      ],
    },
  },
};

const XML_FAILURE = `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationFailure code="INVALID_TICKET">Ticket 'ST-0x' not recognized</cas:authenticationFailure>
</cas:serviceResponse>
`;
const CAS1: Content = {
  [TEXT_TYPE]: { schema: { type: 'string' }, example: 'no\n\n' },
};
const XML: Content = { 'application/xml': { schema: ANY_TEXT, example: XML_FAILURE } };
const XML_OR_JSON: Content = { ...XML, 'application/json': { schema: RESPONSE } };

const PARAMETERS: readonly Parameter[] = [
  {
    name: 'service',
    description: 'The service that the ticket was issued for.',
    schema: SERVICE,
    required: true,
  },
  { name: 'ticket', description: 'The ticket. It is consumed.', schema: TICKET, required: true },
  RENEW,
];
const FORMAT: Parameter = {
  name: 'format',
  description: 'The format of the answer, in upper or lower case.',
  schema: { type: 'string', enum: ['XML', 'JSON', 'xml', 'json'], default: 'XML' },
};
const PGT_URL: Parameter = {
  name: 'pgtUrl',
  description: 'The callback for a proxy-granting ticket.',
  schema: line(MAX_SERVICE_LENGTH),
};

const FIELDS: Record<string, Schema> = { service: SERVICE, ticket: TICKET, renew: FLAG };

function bodyWith(fields: Readonly<Record<string, Schema>>): Body {
  return {
    description: 'The same parameters, some in the query and others in the form, each once.',
    types: [FORM],
    required: false,
    schema: { type: 'object', properties: { ...FIELDS, ...fields } },
  };
}

/** CAS 1: two lines of text. */
function cas1(): Route {
  return {
    tag: 'validation',
    summary: 'Validate a service ticket (CAS 1)',
    methods: ['get', 'post'],
    query: PARAMETERS,
    body: bodyWith({}),
    answers: answersIn(CAS1, CAS1),
  };
}

/** CAS 2 and 3. */
function route(summary: string): Route {
  return {
    tag: 'validation',
    summary,
    description: 'The ticket is consumed by the first validation, even if that fails.',
    methods: ['get', 'post'],
    query: [...PARAMETERS, FORMAT, PGT_URL],
    body: bodyWith({ format: FORMAT.schema, pgtUrl: PGT_URL.schema }),
    answers: answersIn(XML_OR_JSON, XML),
  };
}

/** @param early the format of failures before `format` is read */
function answersIn(content: Content, early: Content): readonly MethodDecorator[] {
  return [
    answer(200, 'Success. In dialect `apereo` also a failed validation.', content),
    answer(400, 'Failed validation, in dialect `documented`.', content),
    answer(413, 'The form has more than 64 KiB.', early),
    answer(415, 'The entity is not a form in UTF-8, or it is compressed.', early),
    plain(500, 'An error in the server. Its cause is in the log.'),
    answer(503, 'The database is unavailable.', content, 'Retry-After'),
  ];
}

describeRoutes(ValidationController, {
  validate: cas1(),
  serviceValidate: route('Validate a service ticket (CAS 2)'),
  proxyValidate: route('Validate a service ticket or proxy ticket (CAS 2)'),
  p3ServiceValidate: route('Validate a service ticket (CAS 3)'),
  p3ProxyValidate: route('Validate a service ticket or proxy ticket (CAS 3)'),
});
