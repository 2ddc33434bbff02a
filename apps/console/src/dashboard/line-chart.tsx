// A chart of several lines over time, with the last values in words.
import type { ReactNode } from 'react';
import { HEIGHT, pathOf, type Values, WIDTH } from './chart-path.js';

export interface Line {
  readonly name: string;
  /** One for each reading; undefined where there is none. */
  readonly values: Values;
}

/** @param readings how many fit in the chart @param format of a value */
export function LineChart({
  title,
  lines,
  readings,
  format,
}: {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly readings: number;
  readonly format: (value: number) => string;
}): ReactNode {
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const top = Math.max(1e-9, ...all);
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ name, values }, at) => (
          <path key={name} className={`line line-${at}`} d={pathOf(values, readings, top)} />
        ))}
      </svg>
      <dl>
        {lines.map(({ name, values }, at) => (
          <div key={name}>
            <dt>
              <span className={`key line-${at}`} aria-hidden="true" />
              {name}
            </dt>
            <dd>{lastOf(values, format)}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

function lastOf(values: Values, format: (value: number) => string): string {
  const last = values.at(-1);
  return last === undefined ? '–' : format(last);
}
