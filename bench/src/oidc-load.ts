// The load generator of OpenID Connect, a separate process: it receives one message, runs sign-ins over several connections,
// and answers with one message.
import { Client } from './client.js';
import { summarise, type LoadResult, type SignInLoad } from './load-generator.js';

/** @see RFC 7636, appendix B */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

process.once('message', (request: SignInLoad) => {
  void run(request).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
});

async function run(request: SignInLoad): Promise<LoadResult> {
  const { connections, port, milliseconds, cookies } = request;
  const clients = await Promise.all(Array.from({ length: connections }, () => Client.open(port)));
  const times: number[] = [];
  const started = performance.now();
  const end = started + milliseconds;
  let failed = 0;
  await Promise.all(
    clients.map(async (client, index) => {
      for (let turn = index; performance.now() < end; turn += connections) {
        const from = performance.now();
        if (!(await signIn(client, request, cookies[turn % cookies.length] ?? ''))) failed += 1;
        times.push(performance.now() - from);
      }
      client.close();
    }),
  );
  return summarise(times, failed, performance.now() - started);
}

/** Two requests: a code for the session of a browser, and tokens for the code. */
async function signIn(
  client: Client,
  { prefix, clientId, redirectUri }: SignInLoad,
  cookie: string,
): Promise<boolean> {
  const authorization = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'state',
    nonce: 'nonce',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
  const answer = await client.get(`${prefix}/oidc/authorize?${authorization.toString()}`, cookie);
  const code = /\r\nlocation: [^\r]*[?&]code=([\w-]+)/i.exec(answer.head)?.[1];
  if (code === undefined) return false;
  const form = new URLSearchParams({
    client_id: clientId,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: VERIFIER,
    code,
  });
  const tokens = await client.post(`${prefix}/oidc/token`, form.toString());
  return tokens.status === 200 && tokens.body.includes('"id_token"');
}
