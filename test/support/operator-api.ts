// The management server with the operator's API, for an SSO application in this process.
import { freePort } from './free-port.js';
import { http, type Call, type Reply } from './http.js';
import { startSso, type Sso } from './sso.js';

export const TOKEN = 'a-management-token-of-operators';

/** memberOf=admin makes a user an operator, memberOf=auditor a reader. */
const USERS = 'ops::Mellon,reader::Mellon,nobody::Mellon';
const ATTRIBUTES = {
  ops: { memberOf: ['admin'] },
  reader: { memberOf: ['auditor'] },
  nobody: { memberOf: ['staff'] },
};

export interface OperatorApi {
  readonly sso: Sso;
  /** Of the management server, as its settings name it. */
  readonly url: string;
  /** Calls the API with the management token. @param body sent as JSON */
  call(method: string, path: string, body?: unknown, headers?: Call['headers']): Promise<Reply>;
  /** Signs in with the password `Mellon`, as a browser does. @returns the value of the header Cookie */
  signIn(user: string): Promise<string>;
  /** Signs in with a TGT. @returns the value of the header Cookie */
  signInWith(tgt: string): Promise<string>;
  /** As {@link call}, with a cookie, as a page of the console does. */
  browse(cookie: string, ...request: Parameters<OperatorApi['call']>): Promise<Reply>;
  close(): Promise<void>;
}

export async function startOperatorApi(settings: readonly string[] = []): Promise<OperatorApi> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const sso = await startSso({
    settings: [
      `--management.port=${port}`,
      `--management.base-url=${url}`,
      `--sso.management.token=${TOKEN}`,
      `--sso.authentication.static.users=${USERS}`,
      ...settings,
    ],
    files: {
      'sso.yml': JSON.stringify({ 'sso.authentication.static.attributes': ATTRIBUTES }),
    },
    // It comes before all others, and keeps no operator out.
    services: [{ serviceId: `^${url}/.*`, name: 'In front', evaluationOrder: 0, enabled: false }],
  });
  const send: OperatorApi['call'] = (method, path, body, headers) =>
    http(method, `http://127.0.0.1:${port}`, path, {
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const signInWith = async (tgt: string): Promise<string> => {
    const begun = await send('GET', '/sign-in');
    const login = new URL(begun.headers.location ?? '');
    const service = login.searchParams.get('service') ?? '';
    const st = await sso.grant(tgt, service);
    const { pathname, search } = new URL(service);
    const path = `${pathname}${search}&ticket=${st}`;
    return cookieOf(await send('GET', path, undefined, { cookie: cookieOf(begun) }));
  };
  return {
    sso,
    url,
    signInWith,
    call: (method, path, body, headers) =>
      send(method, path, body, { authorization: `Bearer ${TOKEN}`, ...headers }),
    browse: (cookie, ...[method, path, body, headers]) =>
      send(method, path, body, { cookie, 'sec-fetch-site': 'same-origin', ...headers }),
    signIn: async (user) => signInWith(await sso.login(user, 'Mellon')),
    close: () => sso.close(),
  };
}

/** The last cookie of an answer, without its attributes. */
export function cookieOf({ headers }: Reply): string {
  return headers['set-cookie']?.at(-1)?.split(';', 1)[0] ?? '';
}

/** What tests read of an answer. */
export interface ApiAnswer extends Readonly<Record<ReadField, unknown>> {
  readonly items: readonly ApiItem[];
  readonly next: string | null;
  readonly service: ApiItem;
  readonly matches: readonly ApiItem[];
}

type ReadField =
  | 'code'
  | 'decision'
  | 'definition'
  | 'name'
  | 'notes'
  | 'reason'
  | 'released'
  | 'services'
  | 'shadowedBy'
  | 'violations';

interface ApiItem {
  readonly id: string;
  readonly [name: string]: unknown;
}

export function jsonOf({ body }: Reply): ApiAnswer {
  return JSON.parse(body) as ApiAnswer;
}
