// Owns how callers ask the servers: each answer is kept, to be looked into. What they ask for is not here.
import { http, type Call, type Reply } from '../support/http.js';
import type { TestAuthority } from '../support/pki/test-authority.js';
import { recordAnswer } from './canary-places.js';
import { secrets } from './canary-secrets.js';

export class SsoCaller {
  constructor(
    private readonly url: string,
    private readonly authority: TestAuthority,
  ) {}

  /** @param own what the answer is there to tell, which nobody else is told */
  async call(method: string, path: string, call: Call = {}, own?: RegExp): Promise<Reply> {
    const tls = { ca: this.authority.cert };
    const answer = await http(method, this.url, path, { ...call, tls });
    recordAnswer(answer, own);
    return answer;
  }

  login(username: string, password: string): Promise<Reply> {
    const call = { form: { username, password }, headers: { accept: 'text/plain' } };
    return this.call('POST', '/v1/tickets', call, /TGT-[\w-]+/g);
  }

  reload(authorization = `Bearer ${secrets.management}`): Promise<Reply> {
    return this.call('POST', '/actuator/refresh', { headers: { authorization } });
  }
}

export async function callConfigServer(
  url: string,
  path: string,
  body: string,
  password = secrets.basic,
): Promise<Reply> {
  const headers = { authorization: basic(password), 'content-type': 'text/plain' };
  const answer = await http('POST', url, path, { body, headers });
  recordAnswer(answer);
  return answer;
}

export function basic(password: string): string {
  return `Basic ${Buffer.from(`sso:${password}`).toString('base64')}`;
}
