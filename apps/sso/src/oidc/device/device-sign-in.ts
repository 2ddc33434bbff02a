// Names the page of devices at the login page, where otherwise the id of an interaction is.

/** An id of the library has no dot. */
const PREFIX = 'device.';
/** Letters that no code has are left out: the login page gives it back as it is. */
const OTHERS = /[^A-Za-z0-9-]/g;
const MAX_LENGTH = 32;

export function deviceSignIn(userCode: string): string {
  return `${PREFIX}${userCode.replaceAll(OTHERS, '').slice(0, MAX_LENGTH)}`;
}

/** The code, or an empty text for a page without one; undefined for the id of an interaction. */
export function deviceCodeIn(interaction: string): string | undefined {
  if (!interaction.startsWith(PREFIX)) return undefined;
  return interaction.slice(PREFIX.length).replaceAll(OTHERS, '');
}
