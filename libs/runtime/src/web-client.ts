// Owns that no process loads Node's client for the web that does not use it.

/** What Node's `http` takes from that client. */
const NAMES = ['WebSocket', 'CloseEvent', 'MessageEvent'];

/**
 * An ES module that imports `node:http` is given all its names, and for three of them, which nobody here asks for, Node loads a
 * whole client for the web: a tenth of the start, and memory. From here on `require` and `globalThis` alone give these. Import
 * the rest of a program after it, by `await import(…)`.
 *
 * @see https://nodejs.org/api/esm.html#builtin-modules
 */
export function leaveOutWebClient(): void {
  const http = process.getBuiltinModule('node:http');
  for (const name of NAMES) {
    if (name in http) Object.defineProperty(http, name, { enumerable: false });
  }
}
