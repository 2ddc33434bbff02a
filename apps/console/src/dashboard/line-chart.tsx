// A chart of several lines over time, with the last values in words.
import type { ReactNode } from 'react';
import { HEIGHT, pathOf, topOf, type Values, WIDTH } from './chart-path.js';

export interface Line {
  readonly name: string;
  /** One for each reading; undefined where there is none. */
  readonly values: Values;
}

/** @param readings how many fit in the chart @param span the time that the chart covers @param format of a value */
export function LineChart({
  title,
  lines,
  readings,
  span,
  format,
}: {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly readings: number;
  readonly span: string;
  readonly format: (value: number) => string;
}): ReactNode {
  const top = topOf(lines.flatMap(({ values }) => values));
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <div className="plot" aria-hidden="true">
        <span className="scale">{format(top)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          {lines.map(({ name, values }, at) => (
            <path key={name} className={`line line-${at}`} d={pathOf(values, readings, top)} />
          ))}
        </svg>
        <span className="span">
          <span>{span} ago</span>
          <span>now</span>
        </span>
      </div>
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
