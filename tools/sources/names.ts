// Names and sizes of files and folders in apps/ and libs/.

import type { Finding, Repository } from '../repository.ts';

const LIMIT = 300;
const EMPTY_NAMES = /^(commons?|utils?|helpers?|shared|misc|types?)$/i;

export function* telling(repository: Repository): Generator<Finding> {
  for (const path of repository.paths) {
    if (!/^(apps|libs)\//.test(path)) continue;
    const empty = path.split('/').find((part) => EMPTY_NAMES.test(part.replace(/\..*$/, '')));
    if (empty === undefined) continue;
    yield {
      rule: 'telling-name',
      path,
      line: 0,
      message: `«${empty}» says nothing: name the file or folder for what it owns`,
    };
  }
}

export function* fileLength(repository: Repository): Generator<Finding> {
  for (const path of repository.paths) {
    if (!/^(apps|libs|bench|tools)\/.*\.(ts|sql|html|css)$/.test(path)) continue;
    const lines = repository.read(path).split('\n').length - 1;
    if (lines <= LIMIT) continue;
    yield {
      rule: 'file-length',
      path,
      line: LIMIT + 1,
      message: `${String(lines)} lines; no file has more than ${String(LIMIT)}: divide it by what it owns`,
    };
  }
}
