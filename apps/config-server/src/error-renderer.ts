import type { ErrorRenderer } from '@tessera/server';
import { encryptionAnswer } from './encryption/encryption-errors.filter.js';
import { errorJson } from './environment/json-errors.filter.js';
import { JSON_TYPE } from './environment/rendering/environment-json.js';

const ENCRYPTION_PATH = /^\/(?:encrypt|decrypt|key)(?:[/?]|$)/;

/**
 * Renders an error that no controller caught, in the format of the endpoint at that path.
 * @see docs/config-server.md, "Errors"
 */
export const renderError: ErrorRenderer = ({ status, message, headers = {} }, { url = '' }) => {
  if (ENCRYPTION_PATH.test(url)) return encryptionAnswer(status, wordOf(status), message, headers);
  return { status, type: JSON_TYPE, body: errorJson(status, url, message), headers };
};

function wordOf(status: number): string {
  if (status === 404) return 'NOT_FOUND';
  if (status === 503) return 'UNAVAILABLE';
  return status < 500 ? 'INVALID' : 'ERROR';
}
