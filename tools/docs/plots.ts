// Checks that the plots are those of the results of the benchmark.

import { plotsOf } from '../plots/plots.ts';
import type { Finding, Repository } from '../repository.ts';

export function* plots(repository: Repository): Generator<Finding> {
  for (const [path, svg] of plotsOf(repository)) {
    if (repository.has(path) && repository.read(path) === svg) continue;
    yield {
      rule: 'plot',
      path,
      line: 0,
      message: 'is not drawn from bench/results: npm run docs:plots',
    };
  }
}
