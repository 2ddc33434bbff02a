// Owns the bounds of a service URL as a parameter.

/** In characters; a validation URL must fit a request's header with it. */
export const LONGEST_SERVICE = 8_192;
