// Checks the names and lengths of files.

import type { Finding, Repository } from '../repository.ts';

const LIMIT = 300;
const VAGUE_NAMES = /^(commons?|utils?|helpers?|shared|misc|types?)$/i;

export function* meaningfulName(repository: Repository): Generator<Finding> {
  for (const path of repository.paths) {
    if (!/^(apps|libs)\//.test(path)) continue;
    const vague = path.split('/').find((part) => VAGUE_NAMES.test(part.replace(/\..*$/, '')));
    if (vague === undefined) continue;
    yield {
      rule: 'telling-name',
      path,
      line: 0,
      message: `«${vague}» is vague: name the file or folder for its content`,
    };
  }
}

export function* fileLength(repository: Repository): Generator<Finding> {
  for (const path of repository.paths) {
    if (!/^(apps|libs|bench|tools)\/.*\.(ts|html|css)$/.test(path)) continue;
    const lines = repository.read(path).split('\n').length - 1;
    if (lines <= LIMIT) continue;
    yield {
      rule: 'file-length',
      path,
      line: LIMIT + 1,
      message: `${String(lines)} lines; no file has more than ${String(LIMIT)}: split it`,
    };
  }
}
