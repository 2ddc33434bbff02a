// Keeps a second `tessera start` from starting in a folder where one runs already, and from failing for its ports.
import { chmod } from 'node:fs/promises';
import { connect } from 'node:net';
import { environmentVariable, type FileLock, makeDirectories, tryFileLock } from '@tessera/runtime';
import { CliError } from './cli-error.js';

/** Beside the data of the embedded PostgreSQL, whose user passes through it. */
const FOLDER = '.data';

/**
 * Takes a lock for each application. Without one, because nothing can be written here, the start goes on.
 *
 * @param settings each `--key=value`
 * @returns the locks, to be released at the end
 * @throws CliError where an application runs in this folder already, with the same port
 */
export async function lockStart(
  applications: readonly string[],
  settings: readonly string[],
): Promise<readonly FileLock[]> {
  const locks: FileLock[] = [];
  for (const application of applications) {
    const lock = await tryLock(application);
    if (lock === 'taken' && (await isPortTaken(application, settings))) {
      throw new CliError(
        `Tessera is running here already (${application} in ${process.cwd()}): Ctrl-C where it was started stops it. ` +
          `Another one needs a database.url, and ports of its own: ${portsOf(applications)}`,
      );
    }
    if (typeof lock === 'object') locks.push(lock);
  }
  return locks;
}

async function tryLock(application: string): Promise<FileLock | 'taken' | undefined> {
  try {
    const made = await makeDirectories(FOLDER);
    if (made !== undefined) await chmod(FOLDER, process.getuid?.() === 0 ? 0o711 : 0o700);
    return (await tryFileLock(`${FOLDER}/${application}.lock`)) ?? 'taken';
  } catch {
    return undefined;
  }
}

/** Without a port on the command line or in the environment, it is the one of the same files. */
async function isPortTaken(application: string, settings: readonly string[]): Promise<boolean> {
  const option = `--${application}.port=`;
  const given =
    settings.findLast((each) => each.startsWith(option))?.slice(option.length) ??
    environmentVariable(`${application.toUpperCase().replaceAll('-', '_')}_PORT`);
  return given === undefined || isListening(Number(given));
}

async function isListening(port: number): Promise<boolean> {
  // An invalid port is a violation of the settings, which the application reports.
  if (!(port > 0 && port <= 65_535)) return false;
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (isConnected: boolean): void => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

function portsOf(applications: readonly string[]): string {
  return applications
    .map((each) => `--${each}.port=<number> --${each}.management.port=<number>`)
    .join(' ');
}
