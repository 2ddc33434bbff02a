// Puts into a Vault what the local stack needs: sends the requests of docker-compose.yml, in their order, and ends.
// Runs in a container by itself, so it imports nothing.

const { VAULT_ADDR: vault, VAULT_TOKEN: token, VAULT_REQUESTS: requests } = process.env;
if (vault === undefined || token === undefined || requests === undefined) {
  throw new Error('VAULT_ADDR, VAULT_TOKEN and VAULT_REQUESTS have to be set');
}

for (const [path, body] of JSON.parse(requests) as readonly (readonly [string, object])[]) {
  const answer = await fetch(`${vault}/v1/${path}`, {
    method: 'POST',
    headers: { 'X-Vault-Token': token },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`Vault answered ${answer.status} to ${path}`);
  console.log(`Vault has taken ${path}`);
}
