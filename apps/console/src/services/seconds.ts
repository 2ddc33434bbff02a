// Lifetimes in number fields. An empty field stands for that of the settings.
export const secondsIn = (lifetime: number | null): string =>
  lifetime === null ? '' : String(lifetime);
export const secondsOf = (text: string): number | null => (text === '' ? null : Number(text));
