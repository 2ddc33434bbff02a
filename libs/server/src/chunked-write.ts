// Owns handing over a large body in pieces. Over TLS Node takes a body whole and sees no progress in it, so that a limit of
// time without progress would cut off a caller that reads slowly.
import type { ServerResponse } from 'node:http';

/** In bytes. */
const PIECE = 262_144;

/** @param response whose head is written already, with the length of the body */
export function writeInChunks(response: ServerResponse, body: Buffer): void {
  let sent = 0;
  const sendOn = (): void => {
    while (sent < body.length) {
      const piece = body.subarray(sent, sent + PIECE);
      sent += piece.length;
      if (!response.write(piece)) {
        response.once('drain', sendOn);
        return;
      }
    }
    response.end();
  };
  sendOn();
}
