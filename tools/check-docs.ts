// Checks that the documents agree with the sources. Run by `npm run docs`.

import { directions } from './docs/directions.ts';
import { errorCodes } from './docs/error-codes.ts';
import { indexes, links, sourcePaths } from './docs/links.ts';
import { missingFeatures } from './docs/missing-features.ts';
import { lockFile, npx, scripts } from './docs/packages.ts';
import { plots } from './docs/plots.ts';
import { report } from './repository.ts';

report([
  links,
  sourcePaths,
  indexes,
  errorCodes,
  scripts,
  npx,
  lockFile,
  plots,
  missingFeatures,
  directions,
]);
