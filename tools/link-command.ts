// Puts `tessera` among the commands of this checkout after a build. npm links the commands of packages a project
// depends on, and its own only when somebody else installs it; without this, the first `npx tessera` installs the
// checkout a second time.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';

const COMMAND = 'dist/apps/cli/src/main.js';
const LINK = 'node_modules/.bin/tessera';

chmodSync(COMMAND, 0o755);
mkdirSync('node_modules/.bin', { recursive: true });
rmSync(LINK, { force: true });
symlinkSync(`../../${COMMAND}`, LINK);
