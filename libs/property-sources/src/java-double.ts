/**
 * Formats a number as Java's `Double.toString` does since Java 19, which existing clients read: the shortest digits that
 * identify it, at least one after the point, and an exponent outside 0.001 to 10,000,000.
 *
 * @see https://docs.oracle.com/en/java/javase/19/docs/api/java.base/java/lang/Double.html#toString(double)
 */
export function javaDouble(value: number): string {
  const size = Math.abs(value);
  if (Object.is(value, -0)) return '-0.0';
  if (!Number.isFinite(value)) return String(value);
  if (size === 0 || (size >= 1e-3 && size < 1e7)) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  const shortest = value.toExponential();
  const [digits, exponent] = (shortest.includes('.') ? shortest : value.toExponential(1)).split(
    'e',
  );
  return `${digits}E${Number(exponent)}`;
}
