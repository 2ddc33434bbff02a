// What operators do with signing keys. Each change runs in a transaction, and reaches all nodes when it is committed.
import type { KeySealing } from './key-sealing.js';
import type { KeystoreFile } from './keystore-file.js';
import { SigningKeyError } from './signing-key-error.js';
import { newSigningKey, SIGNING_ALGORITHMS, type SigningKey, thumbprint } from './signing-key.js';
import {
  algorithmsThatSign,
  type SigningKeyStore,
  type StoredSigningKey,
} from './signing-key-store.js';

/** Milliseconds from the publication of a key to its first signature, unless an operator says otherwise. */
export const USABLE_IN = 300_000;

/**
 * Adds a new key of each algorithm. The keys before sign until it is usable. Without `usableIn` it signs at once, and all others
 * are removed: what they signed is valid no more.
 *
 * @param usableIn milliseconds
 * @throws SigningKeyError SIGNING_KEY_SEALED where a key that stays cannot be sealed again
 */
export async function rotateSigningKeys(
  store: SigningKeyStore,
  sealing: KeySealing,
  usableIn: number | undefined,
): Promise<{ readonly added: readonly string[]; readonly removed: readonly string[] }> {
  const former = (await store.readAll()).map(({ kid }) => kid);
  const removed = usableIn === undefined ? former : [];
  await store.remove(removed);
  await store.sealAgain(sealing);
  const keys = await Promise.all(SIGNING_ALGORITHMS.map(newSigningKey));
  for (const key of keys) await store.add({ key, usableIn: usableIn ?? 0 }, sealing);
  return { added: keys.map(({ kid }) => kid), removed };
}

/** @throws SigningKeyError SIGNING_KEY_NOT_REMOVABLE for an unknown key, and for one that signs */
export async function removeSigningKey(store: SigningKeyStore, kid: string): Promise<void> {
  const key = (await store.readAll()).find((each) => each.kid === kid);
  if (key === undefined) throw notRemovable(`there is no signing key ${kid}`);
  if (key.state === 'signs') {
    throw notRemovable(
      `${kid} signs: replace it first, by "tessera oidc keys rotate", or --now if others have read it`,
    );
  }
  await store.remove([kid]);
}

export interface KeystoreImport {
  readonly added: readonly string[];
  /** Those that were stored before. */
  readonly unchanged: readonly string[];
}

/**
 * Adds the keys of a file. The first current one of an algorithm becomes its signing key: at once where none signs, otherwise
 * after {@link USABLE_IN}. The others are published.
 *
 * @param verifyOnly whether all of them are only published
 * @throws SigningKeyError KEYSTORE_INVALID where a stored key of the same id is another one
 */
export async function importSigningKeys(
  store: SigningKeyStore,
  { keys }: KeystoreFile,
  { sealing, verifyOnly }: { readonly sealing: KeySealing; readonly verifyOnly: boolean },
): Promise<KeystoreImport> {
  await store.removeExpired();
  const stored = new Map((await store.readAll()).map((each) => [each.kid, each]));
  const signing = algorithmsThatSign([...stored.values()]);
  const unchanged = keys.filter(({ key }) => isStored(key, stored.get(key.kid)));
  const added = keys.filter((each) => !unchanged.includes(each));
  for (const { key, isCurrent } of added) {
    const first = added.find((each) => each.isCurrent && each.key.alg === key.alg);
    const signs = !verifyOnly && isCurrent && first?.key === key;
    const usableIn = signing.has(key.alg) ? USABLE_IN : 0;
    await store.add({ key, usableIn: signs ? usableIn : null }, sealing);
  }
  const idsOf = (list: typeof keys): readonly string[] => list.map(({ key }) => key.kid);
  return { added: idsOf(added), unchanged: idsOf(unchanged) };
}

function isStored(key: SigningKey, stored: StoredSigningKey | undefined): boolean {
  if (stored === undefined) return false;
  if (thumbprint(stored.publicJwk) === thumbprint(key)) return true;
  throw new SigningKeyError(
    'KEYSTORE_INVALID',
    `there is another signing key with the id ${key.kid} already: remove it first`,
  );
}

function notRemovable(message: string): SigningKeyError {
  return new SigningKeyError('SIGNING_KEY_NOT_REMOVABLE', message);
}
