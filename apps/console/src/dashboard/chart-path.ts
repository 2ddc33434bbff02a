// The line of a chart.

/** Of the chart. */
export const WIDTH = 320;
export const HEIGHT = 96;

/** Undefined where there is none. */
export type Values = readonly (number | undefined)[];

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
      const y = HEIGHT - 4 - (value / top) * (HEIGHT - 12);
      const command = isGap ? 'M' : 'L';
      isGap = false;
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
