// The Java CAS client with our server. For a failure with status 200 it throws an exception that its filters catch; for
// an error status it throws one that they do not catch.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ClientProgram, type CasProgram } from './client-program.js';
import { testEveryDialect, testProxyTickets, type Expected } from './client-suite.js';
import {
  type ClientPackage,
  INSTALL_TIMEOUT_MS,
  installByMaven,
  installClient,
  isSkipped,
  JAVA_TOOLS,
  siblingFile,
} from './installation.js';
import { RELEASED, RELEASED_IN_XML, USER, serviceOf, startService } from './running-service.js';

const JAVA_CAS_CLIENT: ClientPackage = {
  name: 'java-cas-client',
  tools: JAVA_TOOLS,
  manifest: 'pom.xml',
  install: installByMaven,
};

/** The message contains the ticket, which therefore reaches the log of the application. */
const transportError = (status: number): unknown => {
  const text = `Server returned HTTP response code: ${status} for URL: http://127\\.0\\.0\\.1:\\d+/cas/`;
  return {
    thrown: [
      {
        class: 'java.lang.RuntimeException',
        message: expect.stringMatching(`^java\\.io\\.IOException: ${text}.*[?&]ticket=ST-`),
      },
      {
        class: 'java.io.IOException',
        message: expect.stringMatching(`^${text}.*[?&]ticket=ST-`),
      },
    ],
  };
};

const refusal = (message: string): unknown => ({
  thrown: [{ class: 'org.apereo.cas.client.validation.TicketValidationException', message }],
});

const inXml: Expected = {
  accepted: { returned: { user: USER, attributes: RELEASED_IN_XML } },
  refused: (status, { description }) =>
    status === 200 ? refusal(description) : transportError(status),
};

/** It hides the text of the server. */
const inSaml: Expected = {
  ...inXml,
  refused: (status) =>
    status === 200
      ? {
          thrown: [
            {
              class: 'org.apereo.cas.client.validation.TicketValidationException',
              message: 'Error processing SAML response',
            },
            {
              class: 'org.apereo.cas.client.validation.TicketValidationException',
              message: 'Invalid SAML assertion',
            },
          ],
        }
      : {
          thrown: [
            {
              class: 'java.lang.RuntimeException',
              message: 'IO error sending HTTP request to /samlValidate',
            },
            {
              class: 'java.io.IOException',
              message: expect.stringMatching(
                `^Server returned HTTP response code: ${status} for URL: \\S+/samlValidate\\?TARGET=`,
              ),
            },
          ],
        },
};

const EXPECTED: Readonly<Record<string, Expected>> = {
  '1': {
    accepted: { returned: { user: USER, attributes: {} } },
    refused: (status) =>
      status === 200 ? refusal('CAS Server could not validate ticket.') : transportError(status),
  },
  '2': inXml,
  '3': inXml,
  'SAML 1.1': inSaml,
  '3 as JSON': {
    accepted: { returned: { user: USER, attributes: RELEASED } },
    refused: (status, { code, description }) =>
      status === 200 ? refusal(`${code} - ${description}`) : transportError(status),
  },
};

const describeIfInstalled = isSkipped(JAVA_CAS_CLIENT) ? describe.skip : describe;

describeIfInstalled('the Java CAS client', () => {
  let program: CasProgram;

  beforeAll(async () => {
    const folder = await installClient(JAVA_CAS_CLIENT);
    // With the ASCII default charset the client needs the charset of the server as a parameter.
    const args = [
      '-Dfile.encoding=US-ASCII',
      '-cp',
      join(folder, '*'),
      siblingFile('CasClient.java'),
    ];
    program = new ClientProgram('java', args, {});
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => program?.stop());

  testEveryDialect(() => program, EXPECTED);
  testProxyTickets(() => program, '3');

  // A SAML answer names its encoding itself.
  test.each(Object.keys(EXPECTED).filter((protocol) => protocol !== 'SAML 1.1'))(
    'CAS %s: mangles letters beyond ASCII where nobody has told it the encoding',
    async (protocol) => {
      const running = await startService('documented');
      try {
        const service = serviceOf(undefined);
        const ticket = await running.ticketFor(service);
        const given = { server: running.url, protocol, service, ticket, encoding: null };
        const user = USER.replace(/[^ -~]/gu, (letter) =>
          '\ufffd'.repeat(Buffer.byteLength(letter)),
        );
        expect(await program.call(given)).toMatchObject({ returned: { user } });
      } finally {
        await running.stop();
      }
    },
  );
});
