// Finds processes in /proc, and signals groups of them.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process and its current descendants. */
export function treeOf(pid: number): readonly number[] {
  const children = processIds().filter((each) => parentOf(each) === pid);
  return [pid, ...children.flatMap(treeOf)];
}

/** A zombie is not alive. */
export function isAlive(pid: number): boolean {
  const state = statusOf(pid)[0];
  return state !== undefined && state !== 'Z';
}

/** Signals each process, and ignores those that have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Stops a process and its descendants with SIGSTOP, new ones included. @returns their ids, for SIGCONT */
export function stopTree(pid: number): readonly number[] {
  let stopped: readonly number[] = [];
  for (;;) {
    const others = treeOf(pid).filter((each) => !stopped.includes(each));
    if (others.length === 0) return stopped;
    signalAll(others, 'SIGSTOP');
    stopped = [...stopped, ...others];
  }
}

/** Live processes whose command line contains `folder` or whose working directory is below it. */
export function processesOf(folder: string): readonly number[] {
  return processIds().filter((pid) => pid !== process.pid && isAlive(pid) && mentions(pid, folder));
}

function mentions(pid: number, folder: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) ||
      readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    );
  } catch {
    return false;
  }
}

function processIds(): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function parentOf(pid: number): number {
  return Number(statusOf(pid)[1]);
}

/** The fields after the name, first state and parent. The name may contain spaces and parentheses. @see proc(5) */
function statusOf(pid: number): readonly string[] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
