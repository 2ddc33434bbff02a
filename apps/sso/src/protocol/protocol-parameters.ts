// Rules for parameters that several endpoints share.

/** The longest service URL, in characters. A validation URL that contains it must fit into a request header. */
export const MAX_SERVICE_LENGTH = 8_192;

/** The longest ticket id of a request, in characters. */
export const MAX_TICKET_LENGTH = 256;

const FALSE_VALUES = ['false', '0', 'no', 'off'];

/** Whether a flag such as `renew` is set. Its presence is enough, but clients also send `renew=false`. */
export function isFlagSet(value: string | undefined): boolean {
  return value !== undefined && !FALSE_VALUES.includes(value.toLowerCase());
}
