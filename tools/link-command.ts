// Links `tessera` into node_modules/.bin after a build, for who runs it by npm. `bin` of package.json would do more: with it,
// `npm exec` installs and builds the whole checkout a second time. Without a link, it offers a package of another project.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';

const LINK = 'node_modules/.bin/tessera';

mkdirSync('node_modules/.bin', { recursive: true });
rmSync(LINK, { force: true });
symlinkSync('../../bin/tessera', LINK);
