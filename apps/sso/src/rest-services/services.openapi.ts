// Describes the route /v1/services/add. @see docs/protocol.md, "Service registration"
import { plain, serverErrors, text } from '../../../../test/support/openapi/answers.js';
import { describeRoutes, REFUSES_OTHERS } from '../../../../test/support/openapi/describe.js';
import { FORM, TGT_IN_PATH, THROTTLED, UNREADABLE_FORM } from '../parameters.openapi.js';
import { ServicesController } from './services.controller.js';

const FLAG = { type: 'string', enum: ['true', 'false', '1', '0'], default: 'true' };

describeRoutes(
  ServicesController,
  {
    add: {
      tag: 'services',
      summary: 'Register a service',
      description: 'Requires a TGT of a user with the role that the settings name.',
      path: [TGT_IN_PATH],
      body: {
        description: 'The service. Fields are read from the body only.',
        types: [FORM],
        required: true,
        schema: {
          type: 'object',
          properties: {
            serviceId: {
              type: 'string',
              minLength: 1,
              maxLength: 2_000,
              description: 'An RE2 pattern that matches whole URLs.',
              example: '^https://wiki\\.example\\.org/.*',
            },
            name: { type: 'string', minLength: 1, maxLength: 255, example: 'Wiki' },
            description: { type: 'string', minLength: 1, maxLength: 2_000, example: 'The wiki' },
            evaluationOrder: {
              type: 'string',
              pattern: '^(0|-?[1-9][0-9]{0,9})$',
              default: '2147483647',
              description: 'An integer of 32 bits; the lowest comes first.',
            },
            enabled: FLAG,
            ssoEnabled: FLAG,
          },
          required: ['serviceId', 'name', 'description'],
          additionalProperties: false,
        },
      },
      answers: [
        text(200, 'Registered. The body is the id of the service.', '1'),
        plain(400, 'All violations, one a line. Nothing is stored.'),
        plain(
          403,
          'The user does not have the role, or the order is kept for services of operators.',
        ),
        plain(404, 'Not the id of a valid TGT.'),
        ...UNREADABLE_FORM,
        ...THROTTLED,
        ...serverErrors(plain),
      ],
    },
    other: REFUSES_OTHERS,
  },
  'rest-services',
);
