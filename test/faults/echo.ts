// Servers that stand in front of others, and repeat what they were sent: no sound one does.
import { request as send } from 'node:http';
import type { Responder } from '../support/fake-http-server.js';

/** Takes everything, and never answers. */
export const neverAnswer: Responder = () => {};

/** Hands requests on to a server. @param onBody is told what that one answers */
export function forwardTo(target: string, onBody: (body: string) => void = () => {}): Responder {
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

/** Says all that it was sent, as it is and in Base64, wherever an answer has words. */
export function echo(status: number, contentType = 'application/json'): Responder {
  return (response, request) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = [request.url, ...request.rawHeaders, Buffer.concat(chunks).toString()].join(
        ' ',
      );
      const encoded = Buffer.from(received).toString('base64url');
      const words = [received, encoded];
      const body = JSON.stringify({ errors: words, warnings: words, message: received });
      const headers = { 'content-type': contentType, location: `/${encoded}`, 'x-said': encoded };
      response.writeHead(status, headers).end(body);
    });
  };
}
