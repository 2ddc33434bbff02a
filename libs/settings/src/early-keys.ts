// Owns which settings have to be known before files and remote sources are read, and what is said of them there.
import type { Layer } from './layer.js';
import type { Problem } from './problem.js';
import { isProtected } from './protection/unprotect.js';
import { declaredSettings } from './setting.js';
import { StandaloneSecurity } from './protection/standalone-security.js';

const OF_FILES = 'decides which files are read: give it in the environment or on the command line';
const OF_PROTECTION =
  'is what protected values are decrypted with: give it in the environment, or as a credential of its own, not beside them';

/** What is wrong with an early key in a late source, by key. */
const COMPLAINTS: ReadonlyMap<string, string> = new Map([
  ...['profiles.active', 'application.name', 'settings.location'].map(
    (key) => [key, OF_FILES] as const,
  ),
  ...declaredSettings(StandaloneSecurity).map(({ key }) => [key, OF_PROTECTION] as const),
]);

/** Early keys that would have to be decrypted before anything can be. */
export function protectedEarlyKeys({ values }: Layer): readonly Problem[] {
  const message = 'may not be protected: it is needed before anything can be decrypted';
  return [...values].flatMap(([key, { content, origin }]) =>
    COMPLAINTS.has(key) && isProtected(content) ? [{ key, message, origin }] : [],
  );
}

/** The layer of a late source without early keys: said aloud rather than ignored. */
export function withoutEarlyKeys({ values, problems, idle }: Layer): Layer {
  const early = [...values].flatMap(([key, { origin }]) => {
    const message = COMPLAINTS.get(key);
    return message === undefined ? [] : [{ key, message, origin }];
  });
  return {
    values: new Map([...values].filter(([key]) => !COMPLAINTS.has(key))),
    problems: [...problems, ...early],
    idle,
  };
}

const OF_ADDRESSES = 'says where settings come from: give it on this machine';
const OF_TIMES = 'says when settings are read again: give it on this machine';

/** Where remote sources are, and how often they are asked: not theirs to tell. */
function complaintOfRemote(key: string): string | undefined {
  if (/^(?:vault|sso\.config-server)\./.test(key)) return OF_ADDRESSES;
  return key.startsWith('settings.reload.') ? OF_TIMES : undefined;
}

/** The layer of a remote source without what is for this machine alone to say. */
export function withoutLocalKeys({ values, problems, idle }: Layer): Layer {
  const misplaced = [...values].flatMap(([key, { origin }]) => {
    const message = complaintOfRemote(key);
    return message === undefined ? [] : [{ key, message, origin }];
  });
  return {
    values: new Map([...values].filter(([key]) => complaintOfRemote(key) === undefined)),
    problems: [...problems, ...misplaced],
    idle,
  };
}
