import type { ErrorRenderer } from '@tessera/server';
import { encryptionAnswer } from './encryption/encryption-errors.filter.js';
import { pathUnknown } from './environment/environment-error.js';
import { jsonError } from './environment/json-errors.filter.js';

const ENCRYPTION_PATH = /^\/(?:encrypt|decrypt|key)(?:[/?]|$)/;

/**
 * Renders an error that no controller caught, in the format of the endpoint at that path.
 * @see docs/config-server.md, "Errors"
 */
export const renderError: ErrorRenderer = (error, { url = '' }) => {
  const { status, message, headers } = error;
  if (status === 404) return jsonError({ status, message: pathUnknown().message }, url);
  if (!ENCRYPTION_PATH.test(url)) return jsonError(error, url);
  return encryptionAnswer(status, wordOf(status), message, headers);
};

function wordOf(status: number): string {
  if (status === 405) return 'METHOD_NOT_ALLOWED';
  if (status === 503) return 'UNAVAILABLE';
  return status < 500 ? 'INVALID' : 'ERROR';
}
