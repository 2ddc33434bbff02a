// Describes the route /proxy. @see docs/protocol.md, "Getting a proxy ticket"
import { ANY_TEXT, answer, plain } from '../../../../test/support/openapi/answers.js';
import { describeRoutes } from '../../../../test/support/openapi/describe.js';
import { SERVICE, TICKET } from '../parameters.openapi.js';
import { ProxyController } from './proxy.controller.js';

const FAILURE = `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:proxyFailure code="INVALID_TICKET">The proxy-granting ticket is not recognized</cas:proxyFailure>
</cas:serviceResponse>
`;
const XML = { 'application/xml': { schema: ANY_TEXT, example: FAILURE } };

describeRoutes(ProxyController, {
  grant: {
    tag: 'proxy tickets',
    summary: 'Get a proxy ticket',
    methods: ['get'],
    query: [
      {
        name: 'pgt',
        description: 'The id of a proxy-granting ticket.',
        schema: TICKET,
        required: true,
      },
      {
        name: 'targetService',
        description: 'The service that will validate the ticket.',
        schema: SERVICE,
        required: true,
      },
    ],
    answers: [
      answer(200, 'The proxy ticket, or a failure with its code.', XML),
      plain(500, 'An error in the server. Its cause is in the log.'),
      answer(503, 'The database is unavailable.', XML, 'Retry-After'),
    ],
  },
});
