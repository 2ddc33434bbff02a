// Checks rules that dependency-cruiser and the linter cannot check. Run by `npm run architecture`.

import { report } from './repository.ts';
import { suppressionHasReason } from './sources/comments.ts';
import { environmentInSettings } from './sources/environment.ts';
import { importOrder } from './sources/import-order.ts';
import { fileLength, meaningfulName } from './sources/names.ts';
import { sqlInItsPlace } from './sources/sql.ts';

report([
  sqlInItsPlace,
  environmentInSettings,
  importOrder,
  suppressionHasReason,
  meaningfulName,
  fileLength,
]);
