// python-cas with our server. It ignores the status and raises no exception; a refused ticket gives no user.
import { afterAll, beforeAll, describe } from '@jest/globals';
import { ClientProgram, type CasProgram } from './client-program.js';
import { testEveryDialect, testProxyTickets } from './client-suite.js';
import {
  siblingFile,
  INSTALL_TIMEOUT_MS,
  installByPip,
  installClient,
  isSkipped,
  PYTHON_TOOLS,
  type ClientPackage,
} from './installation.js';
import { RELEASED_IN_XML, USER } from './running-service.js';

const PYTHON_CAS: ClientPackage = {
  name: 'python-cas',
  tools: PYTHON_TOOLS,
  manifest: 'requirements.txt',
  install: installByPip,
};

const acceptedUser = { user: USER, attributes: RELEASED_IN_XML };
const EXPECTED = {
  '1': {
    accepted: { returned: { user: USER, attributes: null } },
    refused: () => ({ returned: { user: null, attributes: null } }),
  },
  '2': {
    accepted: { returned: acceptedUser },
    refused: () => ({ returned: { user: null, attributes: null } }),
  },
  '3': {
    accepted: { returned: acceptedUser },
    refused: () => ({ returned: { user: null, attributes: {} } }),
  },
  // SAML 1.1
  CAS_2_SAML_1_0: {
    accepted: { returned: acceptedUser },
    refused: () => ({ returned: { user: null, attributes: {} } }),
  },
};

const describeIfInstalled = isSkipped(PYTHON_CAS) ? describe.skip : describe;

describeIfInstalled('python-cas', () => {
  let program: CasProgram;

  beforeAll(async () => {
    const folder = await installClient(PYTHON_CAS);
    const env = { PYTHONPATH: folder, PYTHONUTF8: '1' };
    program = new ClientProgram('python3', [siblingFile('python_cas_client.py')], env);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => program?.stop());

  testEveryDialect(() => program, EXPECTED);
  testProxyTickets(() => program, '3');
});
