// The users of the load; all have the password `Mellon`.

/** May register services in profile dev. */
export const REGISTRAR = 'casuser';
/** An operator ends all sessions of such a user, so each has one session at a time. */
export const ENDED_USERS = Array.from({ length: 400 }, (_, index) => `ended${index}`);
export const PLAIN_USERS = Array.from({ length: 20 }, (_, index) => `user${index}`);
export const USERS = [REGISTRAR, ...PLAIN_USERS, ...ENDED_USERS];
