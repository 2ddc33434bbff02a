import { describe, expect, test } from '@jest/globals';
import { versionError } from './node-version.js';

describe('versionError', () => {
  test.each(['8.17.0', '20.20.2', '22.11.0', '23.99.99'])(
    'names %s, and the way out',
    (version) => {
      expect(versionError(version)).toBe(
        `Tessera needs Node 24 or newer, and this is ${version}: use npm start, bin/tessera or node_modules/.bin/node`,
      );
    },
  );

  test.each(['24.0.0', '24.21.0-rc.1', '25.1.0', '100.0.0'])(
    'has nothing against %s',
    (version) => {
      expect(versionError(version)).toBeUndefined();
    },
  );
});
