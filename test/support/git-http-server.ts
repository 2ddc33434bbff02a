// Serves a repository over HTTP with `git http-backend`, as a git host does, with an optional password.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, basename } from 'node:path';

export class GitHttpServer {
  /** Authorization header of each request; `''` if it had none. */
  readonly authorizations: string[] = [];
  /** If set, every request is redirected to this base URL. */
  redirection: string | undefined;
  private readonly server = createServer((request, response) => this.answer(request, response));

  /** @param path of the repository @param authorization required header; `''` for none */
  constructor(
    private readonly path: string,
    private readonly authorization: string,
  ) {}

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** URL of the repository. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${basename(this.path)}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const sent = request.headers.authorization ?? '';
    this.authorizations.push(sent);
    if (this.redirection !== undefined) {
      response.writeHead(302, { Location: this.redirection + String(request.url) }).end();
    } else if (this.authorization !== '' && sent !== this.authorization) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
    } else {
      this.serve(request, response);
    }
  }

  /** @see git-http-backend(1); RFC 3875 §6 */
  private serve(request: IncomingMessage, response: ServerResponse): void {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: dirname(this.path),
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: path,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(backend.stdin);
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    backend.on('close', () => forwardResponse(Buffer.concat(chunks), response));
  }
}

function forwardResponse(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n');
  const lines = output.toString('latin1', 0, end).split('\r\n');
  const headers = new Map(lines.map((line) => line.split(': ', 2) as [string, string]));
  const status = Number.parseInt(headers.get('Status') ?? '200', 10);
  headers.delete('Status');
  response.writeHead(status, Object.fromEntries(headers)).end(output.subarray(end + 4));
}
