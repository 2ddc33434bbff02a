// The scale and the lines of a chart.

/** Of the chart. */
export const WIDTH = 320;
export const HEIGHT = 96;

/** Undefined where there is none. */
export type Values = readonly (number | undefined)[];

/** The end of the scale: the smallest of 1, 2 and 5 times a power of ten that no value exceeds. */
export function topOf(values: Values): number {
  const largest = Math.max(0, ...values.filter((value) => value !== undefined));
  if (largest === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return power * ([1, 2, 5].find((step) => step * power >= largest) ?? 10);
}

/** The newest value is at the right end. */
export function pathOf(values: Values, readings: number, top: number): string {
  const offset = readings - values.length;
  let isGap = true;
  return values
    .map((value, at) => {
      if (value === undefined) {
        isGap = true;
        return '';
      }
      const x = ((at + offset) / Math.max(1, readings - 1)) * WIDTH;
      const y = HEIGHT - (value / top) * HEIGHT;
      const command = isGap ? 'M' : 'L';
      isGap = false;
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
