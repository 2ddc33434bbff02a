// Detects the end of the npm process that runs this one as a `start` script.

/** Names of scripts that become the program by `exec`, so that npm is its parent. */
const START_SCRIPT = /^start(?::|$)/;

/** In milliseconds. The system does not announce the end of a parent process. */
const INTERVAL = 500;

/**
 * Calls `listener` once when npm has ended: killed, it cannot pass a signal on. Does nothing where npm did not run a `start`
 * script: a parent that ends may have detached this process on purpose, as `nohup` and `setsid` do.
 */
export function onNpmExit(
  listener: () => void,
  script = process.env['npm_lifecycle_event'],
  parentId = (): number => process.ppid,
): void {
  if (script === undefined || !START_SCRIPT.test(script)) return;
  const npm = parentId();
  const timer = setInterval(() => {
    if (parentId() === npm) return;
    clearInterval(timer);
    listener();
  }, INTERVAL);
  timer.unref();
}
