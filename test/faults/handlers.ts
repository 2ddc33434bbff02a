// Request handlers of fake HTTP servers: a proxy, an echo and one that never answers.
import { request as send } from 'node:http';
import type { Handler } from '../support/fake-http-server.js';

export const neverAnswer: Handler = () => {};

/** Forwards requests to a server. @param onBody receives the body of each response */
export function forwardTo(target: string, onBody: (body: string) => void = () => {}): Handler {
  return (response, request) => {
    const { method, headers, url = '' } = request;
    const inner = send(new URL(url, target), { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        onBody(body.toString());
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
      });
    });
    inner.on('error', () => response.destroy());
    request.pipe(inner);
  };
}

/** Echoes the whole request, plain and in Base64url, in the body and the headers of the response. */
export function echo(status: number, contentType = 'application/json'): Handler {
  return (response, request) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = [request.url, ...request.rawHeaders, Buffer.concat(chunks).toString()].join(
        ' ',
      );
      const encoded = Buffer.from(received).toString('base64url');
      const texts = [received, encoded];
      const body = JSON.stringify({ errors: texts, warnings: texts, message: received });
      const headers = { 'content-type': contentType, location: `/${encoded}`, 'x-said': encoded };
      response.writeHead(status, headers).end(body);
    });
  };
}
