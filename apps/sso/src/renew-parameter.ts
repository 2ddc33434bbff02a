// Owns what counts as asking for `renew`, the same on every endpoint.

const TURNED_OFF = ['false', '0', 'no', 'off'];

/** A parameter that is there means renew, unless its value says no: clients send `renew=false`. */
export function meansRenew(value: string | undefined): boolean {
  return value !== undefined && !TURNED_OFF.includes(value.toLowerCase());
}
