// Owns in which form a fault is told that no endpoint has met: a path that cannot be decoded, or a fault of ours.
import type { ErrorRenderer } from '@tessera/server';
import { encryptionAnswer } from './encryption/encryption-errors.filter.js';
import { errorJson } from './environment/json-errors.filter.js';
import { JSON_TYPE } from './environment/rendering/environment-json.js';

const OF_ENCRYPTION = /^\/(?:encrypt|decrypt|key)(?:[/?]|$)/;

/** As the endpoints below that path word what they refuse. @see docs/config-server.md, "Errors" */
export const inTheEndpointsWords: ErrorRenderer = (
  { status, message, headers = {} },
  { url = '' },
) => {
  if (OF_ENCRYPTION.test(url)) return encryptionAnswer(status, wordOf(status), message, headers);
  return { status, type: JSON_TYPE, body: errorJson(status, url, message), headers };
};

function wordOf(status: number): string {
  if (status === 404) return 'NOT_FOUND';
  if (status === 503) return 'UNAVAILABLE';
  return status < 500 ? 'INVALID' : 'ERROR';
}
