// Colours that can be read: contrast, and the nearest tint or shade that has enough of it. @see WCAG 2.2, 1.4.3

type Rgb = readonly [red: number, green: number, blue: number];

/** Of text in the sense of level AA. */
const ENOUGH = 4.5;
const STEPS = 64;
const BLACK = '#000000';
const WHITE = '#ffffff';

/** Black or white, whichever contrasts more. All colours are `#rrggbb`. */
export function textColorOn(color: string): string {
  return contrast(color, BLACK) > contrast(color, WHITE) ? BLACK : WHITE;
}

/** The colour, mixed with as little black or white as it needs to be readable on the background. */
export function readableOn(background: string, color: string): string {
  const goal = textColorOn(background);
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, goal, step / STEPS);
    if (contrast(mixed, background) >= ENOUGH) return mixed;
  }
  return goal;
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other].map(luminance).toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @see WCAG 2.2, "relative luminance" */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, other: string, share: number): string {
  const goal = rgbOf(other);
  const channels = rgbOf(color).map((value, at) =>
    Math.round(value + ((goal[at] ?? 0) - value) * share),
  );
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
