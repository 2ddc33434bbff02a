// Keeps Node's built-in web client (undici) from being loaded by processes that do not use it.

/** The exports of `node:http` that come from the web client. */
const NAMES = ['WebSocket', 'CloseEvent', 'MessageEvent'];

/**
 * An ES module that imports `node:http` links all its exports. For three of them Node loads the web client, which takes a tenth
 * of the start time, and memory. After this call only `require` and `globalThis` give these three. Import the rest of the
 * program after it, by `await import(…)`.
 *
 * @see https://nodejs.org/api/esm.html#builtin-modules
 */
export function leaveOutWebClient(): void {
  const http = process.getBuiltinModule('node:http');
  for (const name of NAMES) {
    if (name in http) Object.defineProperty(http, name, { enumerable: false });
  }
}
