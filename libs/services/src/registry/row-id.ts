/** PostgreSQL would report any other text as an error, not as a missing row. */
export function isRowId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}
