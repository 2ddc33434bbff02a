// The messages about reloads between the primary process and its workers. Other messages on the same channel are ignored.
import type { ReloadOutcome } from '../reload-outcome.js';
import type { Vote } from './coordinated-reload.js';

export type ToWorker =
  /** The current settings, secrets included. */
  | { readonly reload: 'settings'; readonly inForce: string }
  | { readonly reload: 'stage'; readonly round: number; readonly key: string }
  | { readonly reload: 'adopt'; readonly round: number }
  | { readonly reload: 'discard'; readonly round: number }
  | { readonly reload: 'outcome'; readonly request: number; readonly outcome: ReloadOutcome };

export type FromWorker =
  /** Requests the current settings. */
  | { readonly reload: 'starting' }
  /** Takes part from now on. */
  | { readonly reload: 'joined'; readonly files: readonly string[] }
  | { readonly reload: 'vote'; readonly round: number; readonly vote: Vote }
  | { readonly reload: 'adopted'; readonly round: number; readonly files: readonly string[] }
  | { readonly reload: 'request'; readonly request: number; readonly cause: string };

type Message = ToWorker | FromWorker;
type Check = (value: unknown) => boolean;

/** The check of each field, by kind of message. */
type Forms<M extends Message> = {
  readonly [K in M['reload']]: Readonly<
    Record<Exclude<keyof Extract<M, { reload: K }>, 'reload'>, Check>
  >;
};

const TO_WORKER: Forms<ToWorker> = {
  settings: { inForce: isText },
  stage: { round: isNumber, key: isText },
  adopt: { round: isNumber },
  discard: { round: isNumber },
  outcome: { request: isNumber, outcome: (value) => isRefusal(value) || areChangedKeys(value) },
};

const FROM_WORKER: Forms<FromWorker> = {
  starting: {},
  joined: { files: areTexts },
  vote: { round: isNumber, vote: (value) => isRefusal(value) || isReady(value) },
  adopted: { round: isNumber, files: areTexts },
  request: { request: isNumber, cause: isText },
};

/** Undefined for any other message. */
export function readToWorker(message: unknown): ToWorker | undefined {
  return read(message, TO_WORKER);
}

/** Undefined for any other message. */
export function readFromWorker(message: unknown): FromWorker | undefined {
  return read(message, FROM_WORKER);
}

function read<M extends Message>(message: unknown, forms: Forms<M>): M | undefined {
  if (!isObject(message)) return undefined;
  const { reload: kind } = message;
  if (typeof kind !== 'string' || !Object.hasOwn(forms, kind)) return undefined;
  const fields = Object.entries<Check>(forms[kind as M['reload']]);
  return fields.every(([name, isGood]) => isGood(message[name])) ? (message as M) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isRefusal(value: unknown): boolean {
  return isObject(value) && areTexts(value['problems']);
}

function areChangedKeys(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { changed, restart, files = [] } = value;
  return [changed, restart, files].every(areTexts);
}

function isReady(value: unknown): boolean {
  return areChangedKeys(value) && isObject(value) && isText(value['digest']);
}
