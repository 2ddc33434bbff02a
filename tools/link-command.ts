// Links `tessera` into node_modules/.bin after a build. npm links the commands of dependencies but not a project's own, so
// that the first `npx tessera` would install the checkout a second time.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';

const COMMAND = 'dist/apps/cli/src/main.js';
const LINK = 'node_modules/.bin/tessera';

chmodSync(COMMAND, 0o755);
mkdirSync('node_modules/.bin', { recursive: true });
rmSync(LINK, { force: true });
symlinkSync(`../../${COMMAND}`, LINK);
