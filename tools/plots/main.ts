// `npm run docs:plots`: draws the plots of the documents from bench/results, and writes the tables of docs/chaos.md.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { Repository } from '../repository.ts';
import { plotsOf } from './plots.ts';

for (const [path, svg] of plotsOf(new Repository(process.cwd()))) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, svg);
}
