// Describes the tests of a client, which skip where its tools are missing.
import { beforeAll, describe } from '@jest/globals';
import {
  type ClientPackage,
  INSTALL_TIMEOUT_MS,
  installClient,
  isSkipped,
} from '../installation.js';

/** @param tests get the folder of the installed client, which is known when they run */
export function describeClient(
  title: string,
  client: ClientPackage,
  tests: (folder: () => string) => void,
): void {
  const describeIfInstalled = isSkipped(client) ? describe.skip : describe;
  describeIfInstalled(title, () => {
    let folder = '';
    beforeAll(async () => {
      folder = await installClient(client);
    }, INSTALL_TIMEOUT_MS);
    tests(() => folder);
  });
}
