// Reads metrics in the text format of Prometheus. @see https://prometheus.io/docs/instrumenting/exposition_formats/

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function readMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    return [{ name, labels: readLabels(labels), value: numberOf(value) }];
  });
}

function readLabels(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(text.matchAll(LABEL), ([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
    ]),
  );
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

/** The sum of a metric over all its series with these labels. */
export function sum(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter((sample) => sample.name === name && hasLabels(sample, labels))
    .reduce((total, { value }) => total + value, 0);
}

function hasLabels(sample: Sample, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => sample.labels[name] === value);
}
