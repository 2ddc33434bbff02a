// Draws bars and lines as SVG. Colours are variables: a page that contains the drawing sets them, and the style in the file
// has values for light and dark.

export interface Series {
  readonly name: string;
  /** One for each category. */
  readonly values: readonly number[];
  readonly color: 'one' | 'two';
  readonly isDashed?: boolean;
}

export interface Chart {
  readonly kind: 'bars' | 'lines';
  readonly title: string;
  /** Name of the categories, below the axis. */
  readonly axis: string;
  readonly categories: readonly string[];
  readonly series: readonly Series[];
}

export const WIDTH = 720;
const HEIGHT = 340;
const AREA = { left: 64, right: 16, top: 76, bottom: 52 } as const;
const INNER = { width: WIDTH - AREA.left - AREA.right, height: HEIGHT - AREA.top - AREA.bottom };
const BASE = HEIGHT - AREA.bottom;
const TICKS = 4;

export const STYLE = `<style>
svg { --plot-text: #1a202c; --plot-quiet: #4d5768; --plot-edge: #dde2ea;
  --plot-one: #3346d3; --plot-two: #8a94a6; }
@media (prefers-color-scheme: dark) {
  svg { --plot-text: #e9edf3; --plot-quiet: #b2bccb; --plot-edge: #2b3342;
    --plot-one: #8f9df7; --plot-two: #7f8b9d; }
}
</style>`;

export function drawChart(chart: Chart): string {
  const top = roundUp(Math.max(...chart.series.flatMap(({ values }) => values)));
  const body = chart.kind === 'bars' ? bars(chart, top) : lines(chart, top);
  const parts = [
    description(chart),
    STYLE,
    text(0, 20, chart.title, { weight: 600 }),
    ...legend(chart),
    ...grid(top),
  ];
  const labels = chart.categories.map((label, index) =>
    text(centerOf(chart, index), BASE + 20, label, { anchor: 'middle', isQuiet: true }),
  );
  const axis = text(AREA.left + INNER.width / 2, HEIGHT - 8, chart.axis, {
    anchor: 'middle',
    isQuiet: true,
  });
  return drawing(HEIGHT, [...parts, ...body, ...labels, axis]);
}

/** The file of a drawing as wide as all. */
export function drawing(height: number, elements: readonly string[]): string {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="Inter, system-ui, sans-serif" font-size="13">`;
  return `${[open, ...elements, '</svg>'].join('\n')}\n`;
}

/** All figures, for screen readers. */
function description({ categories, axis, series }: Chart): string {
  const figures = series.map(({ name, values }) => {
    const all = values.map((value, index) => `${shown(value)} at ${axis} ${categories[index]}`);
    return `${name}: ${all.join(', ')}`;
  });
  return `<desc>${figures.join('; ')}.</desc>`;
}

function bars({ categories, series }: Chart, top: number): readonly string[] {
  const group = (INNER.width / categories.length) * 0.7;
  const width = group / series.length;
  return series.flatMap(({ values, color }, at) =>
    values.flatMap((value, index) => {
      const start = AREA.left + (INNER.width / categories.length) * (index + 0.15);
      const x = start + width * at;
      const y = heightOf(value, top);
      const bar = `<rect x="${round(x + 1)}" y="${round(y)}" width="${round(width - 2)}" height="${round(BASE - y)}" rx="3" style="fill: var(--plot-${color})" />`;
      return [bar, text(x + width / 2, y - 5, shown(value), { anchor: 'middle', size: 11 })];
    }),
  );
}

function lines(chart: Chart, top: number): readonly string[] {
  return chart.series.flatMap(({ values, color, isDashed }) => {
    const points = values.map(
      (value, index) => `${round(centerOf(chart, index))},${round(heightOf(value, top))}`,
    );
    const dash = isDashed === true ? ' stroke-dasharray="6 5"' : '';
    const paint = `fill: none; stroke: var(--plot-${color}); stroke-width: 2.5px`;
    const dots = points.map((point) => {
      const [x, y] = point.split(',');
      return `<circle cx="${x}" cy="${y}" r="3.5" style="fill: var(--plot-${color})" />`;
    });
    return [`<polyline points="${points.join(' ')}"${dash} style="${paint}" />`, ...dots];
  });
}

function legend({ series }: Chart): readonly string[] {
  let x = 0;
  return series.flatMap(({ name, color, isDashed }) => {
    const dash = isDashed === true ? ' stroke-dasharray="6 4"' : '';
    const key = `<line x1="${x}" x2="${x + 18}" y1="42" y2="42"${dash} style="stroke: var(--plot-${color}); stroke-width: 4px" />`;
    const entry = [key, text(x + 26, 46, name, { isQuiet: true })];
    x += 46 + name.length * 7;
    return entry;
  });
}

function grid(top: number): readonly string[] {
  return Array.from({ length: TICKS + 1 }, (_, tick) => (top / TICKS) * tick).flatMap((value) => {
    const y = round(heightOf(value, top));
    const line = `<line x1="${AREA.left}" x2="${WIDTH - AREA.right}" y1="${y}" y2="${y}" style="stroke: var(--plot-edge)" />`;
    return [line, text(AREA.left - 8, y + 4, shown(value), { anchor: 'end', isQuiet: true })];
  });
}

interface TextStyle {
  readonly anchor?: 'middle' | 'end';
  readonly isQuiet?: boolean;
  readonly size?: number;
  readonly weight?: number;
}

export function text(x: number, y: number, content: string, style: TextStyle): string {
  const { anchor, isQuiet, size, weight } = style;
  const attributes = [
    anchor && ` text-anchor="${anchor}"`,
    size && ` font-size="${size}"`,
    weight && ` font-weight="${weight}"`,
    ` style="fill: var(--plot-${isQuiet === true ? 'quiet' : 'text'})"`,
  ];
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${round(x)}" y="${round(y)}"${attributes.filter(Boolean).join('')}>${escaped}</text>`;
}

function centerOf({ categories }: Chart, index: number): number {
  return AREA.left + (INNER.width / categories.length) * (index + 0.5);
}

function heightOf(value: number, top: number): number {
  return BASE - (value / top) * INNER.height;
}

/** The next number that divides into round ticks. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor =
    [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].find((each) => each * power >= value) ?? 10;
  return factor * power;
}

export function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toFixed(2)));
}

export function round(value: number): number {
  return Number(value.toFixed(1));
}
