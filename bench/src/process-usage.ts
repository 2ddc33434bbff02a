// Reads CPU time and memory of processes from /proc.
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** CPU time of a process so far, in milliseconds, including ended children. */
export function cpuOf(pid: number): number {
  return ticksOf(pid) * (1_000 / TICKS_PER_SECOND);
}

/** CPU time of a process and all its children so far, in milliseconds. */
export function cpuOfTree(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + cpuOf(each), 0);
}

/** Resident memory in MB (10^6 bytes). */
export function residentMegabytes(pid: number): number {
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0);
  return (kilobytes * 1_024) / 1e6;
}

/** The running child processes of a process. */
export function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((each) => Number(fieldsOf(each)[1]) === pid);
}

function ticksOf(pid: number): number {
  const fields = fieldsOf(pid);
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
}

/** The fields after the name, which may contain spaces; the first is the state. @see proc(5) */
function fieldsOf(pid: number): string[] {
  const stat = read(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
