// Describes the route /samlValidate. @see docs/protocol.md, "SAML 1.1"
import { ANY_TEXT, answer, plain } from '../../../../../test/support/openapi/answers.js';
import { describeRoutes } from '../../../../../test/support/openapi/describe.js';
import { RENEW, SERVICE } from '../../parameters.openapi.js';
import { SamlController } from './saml.controller.js';

const ENVELOPE = `<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/">
  <SOAP-ENV:Body>
    <samlp:Request xmlns:samlp="urn:oasis:names:tc:SAML:1.0:protocol" MajorVersion="1" MinorVersion="1" RequestID="_1">
      <samlp:AssertionArtifact>ST-0x</samlp:AssertionArtifact>
    </samlp:Request>
  </SOAP-ENV:Body>
</SOAP-ENV:Envelope>`;
const XML = { 'text/xml': { schema: ANY_TEXT } };

describeRoutes(SamlController, {
  validate: {
    tag: 'validation',
    summary: 'Validate a service ticket (SAML 1.1)',
    methods: ['post'],
    query: [
      { name: 'TARGET', description: 'The service.', schema: SERVICE, required: true },
      RENEW,
    ],
    body: {
      description: 'A SOAP 1.1 envelope with one request, at most 64 KiB.',
      types: ['text/xml', 'application/xml'],
      required: true,
      schema: { type: 'string', example: ENVELOPE },
    },
    answers: [
      answer(200, 'Success. In dialect `apereo` also a failed validation.', XML),
      answer(400, 'Failed validation, in dialect `documented`.', XML),
      answer(413, 'The body has more than 64 KiB.', XML),
      answer(415, 'The body is not XML in UTF-8, or it is compressed.', XML),
      plain(500, 'An error in the server. Its cause is in the log.'),
      answer(503, 'The database is unavailable.', XML, 'Retry-After'),
    ],
  },
});
