// The report of `tessera service import`: in full, as a table, as JSON.
import { countStates, type FileReport, type ImportReport, stateOf } from '@tessera/services';
import { columns, escapeForTerminal, indentedJson } from '../terminal.js';

/** Closed by its access strategy, or expired. */
const AS_ITS_FILE_SAYS = 'as its file says';

/** The whole report, with escaped lines. */
export function linesOfFiles({ files }: ImportReport, unwritten: boolean): readonly string[] {
  return files.flatMap((file) => linesOf(file, unwritten).map(escapeForTerminal));
}

/** One line for each file, with the first reason why its service does not work. */
export function summaryTable({ files }: ImportReport): string {
  const rows = files.map((each) => {
    const [reason = '', ...others] = reasonsOf(each);
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    return [each.file, stateOf(each), 'name' in each ? each.name : '', reason + more];
  });
  return columns(['FILE', 'STATE', 'NAME', 'REASON'], rows);
}

export function jsonReport(report: ImportReport, unwritten: boolean): string {
  return indentedJson(importSummary(report, unwritten));
}

/** The members of the JSON report. */
export function importSummary(report: ImportReport, unwritten: boolean): object {
  const files = report.files.map((each) => ({ ...each, state: stateOf(each) }));
  return { written: !unwritten, counts: countStates(report), files };
}

/** How many services of the files work: `170 working, 244 disabled, 117 refused`. */
export function lastLine(report: ImportReport): string {
  const { working, disabled, refused, ignored } = countStates(report);
  const counts = `${working} working, ${disabled} disabled, ${refused} refused`;
  return ignored > 0 ? `${counts}, ${ignored} ignored` : counts;
}

function reasonsOf(report: FileReport): readonly string[] {
  if ('reason' in report) return [report.reason];
  const reasons = report.notUnderstood.map(({ member, reason }) => `${member} ${reason}`);
  return reasons.length > 0 || report.enabled ? reasons : [AS_ITS_FILE_SAYS];
}

function linesOf(report: FileReport, unwritten: boolean): readonly string[] {
  if ('reason' in report) {
    const { file, outcome, reason, advice } = report;
    const done = unwritten && outcome === 'removed' ? 'would be removed' : outcome;
    return [`${file}: ${done}, ${reason}`, ...advice.map((line) => `  ${line}`)];
  }
  const { file, outcome, name, clientId, enabled } = report;
  const disabledSuffix =
    report.notUnderstood.length > 0 ? ', disabled for what is not understood' : '';
  const state = disabledSuffix || (enabled ? '' : `, disabled ${AS_ITS_FILE_SAYS}`);
  const client = clientId === null ? '' : `, client ${clientId}`;
  return [
    `${file}: ${unwritten ? 'would be ' : ''}${outcome} "${name}"${client}${state}`,
    ...report.notUnderstood.map(({ member, reason }) => `  not understood: ${member} ${reason}`),
    ...(report.foreignUrl === undefined
      ? []
      : [`  warning: serviceId also matches ${report.foreignUrl}`]),
    ...report.withoutEffect.map(({ member, reason }) => `  note: ${member} ${reason}`),
    `  taken: ${report.taken.join(', ')}`,
  ];
}
