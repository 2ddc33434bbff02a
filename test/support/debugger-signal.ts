// SIGUSR1 opens Node's debugger on 127.0.0.1:9229, which shows every local user the variables of a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { Program } from './process.js';
import { signalAll, treeOf } from './process-table.js';
import { until } from './until.js';

const OPTION = '--disable-sigusr1';

/** The program and all below it that Node runs: PostgreSQL has a use of its own for the signal. */
function nodeProcesses({ pid }: Program): readonly number[] {
  return treeOf(pid).filter((each) => executableOf(each) === process.execPath);
}

/** Undefined for a process that has ended, such as a backend of PostgreSQL. */
function executableOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** Waits until the debugger of another Node is open, which got the signal later. */
async function untilOthersDebuggerOpens(): Promise<void> {
  const idle = 'setInterval(() => {}, 1_000); console.log("up")';
  const other = spawn(process.execPath, ['--inspect-port=0', '--eval', idle]);
  let said = '';
  other.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(other.stdout, 'data');
  other.kill('SIGUSR1');
  await until("the other process's debugger is open", () => said.includes('Debugger listening'));
  other.kill('SIGKILL');
}

/**
 * Expects that SIGUSR1 does nothing to a program, and that the programs it started have the option against it.
 *
 * @param processes the number of its Node processes, itself included
 */
export async function expectDebuggerSignalIgnored(
  program: Program,
  processes: number,
): Promise<void> {
  const before = nodeProcesses(program);
  expect(before).toHaveLength(processes);
  for (const pid of before.slice(1)) expect(commandOf(pid)).toContain(OPTION);
  signalAll(before, 'SIGUSR1');
  await untilOthersDebuggerOpens();
  expect(program.stderr).not.toMatch(/debugger|inspector/i);
  expect(nodeProcesses(program)).toEqual(before);
}
