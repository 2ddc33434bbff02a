// The report of `tessera migrate`, as text and as JSON. It has no values: they may be secrets.
import type { ImportReport } from '@tessera/services';
import { importSummary, lastLine, summaryTable } from '../services/import-report.js';
import { escapeForTerminal, indentedJson } from '../terminal.js';
import type { Application, ReportEntry, Section } from './settings-draft.js';

export interface MigrationReport {
  readonly application: Application;
  /** The new directory. */
  readonly into: string;
  readonly written: boolean;
  readonly profiles: readonly string[];
  /** Files of other profiles. */
  readonly unreadFiles: readonly string[];
  readonly entries: readonly ReportEntry[];
  readonly services: ImportReport | undefined;
  /** What is to be done before the start. */
  readonly next: readonly string[];
}

const TITLES: Readonly<Record<Section, string>> = {
  taken: 'Taken over',
  renamed: 'Has another name',
  left: 'Left out',
  weaker: 'Makes sign-in weaker',
  missing: 'Not here yet',
};
const SECTIONS = Object.keys(TITLES) as readonly Section[];

export function textReport(report: MigrationReport): string {
  const { profiles, unreadFiles, entries, services, next } = report;
  const sections = SECTIONS.map((section) => {
    const lines = entries.filter((entry) => entry.section === section).map(lineOf);
    return { title: `${TITLES[section]}: ${lines.length}`, lines };
  });
  const parts = [
    {
      title: `Profiles: ${profiles.join(', ')}`,
      lines: unreadFiles.map((file) => `not read: ${file}`),
    },
    ...sections,
    ...(services ? [servicesPart(services)] : []),
    { title: 'Before the start', lines: next },
    { title: report.written ? `Written: ${report.into}` : 'Nothing is written', lines: [] },
  ];
  return parts
    .map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)])
    .map((lines) => lines.map(escapeForTerminal).join('\n'))
    .join('\n\n');
}

export function jsonMigrationReport(report: MigrationReport): string {
  const { entries, services, ...others } = report;
  const bySection = SECTIONS.map((section) => {
    const own = entries.filter((entry) => entry.section === section);
    return [section, own.map(({ section: _, ...entry }) => entry)] as const;
  });
  return indentedJson({
    ...others,
    ...Object.fromEntries(bySection),
    services: services && importSummary(services, true),
  });
}

function servicesPart(report: ImportReport): { title: string; lines: readonly string[] } {
  return { title: `Services: ${lastLine(report)}`, lines: summaryTable(report).split('\n') };
}

function lineOf({ key, origin, here = [], note, section, ...entry }: ReportEntry): string {
  const about = [
    ...(section === 'renamed' ? [here.join(', ')] : []),
    ...(note === undefined ? [] : [note]),
    ...(section === 'weaker' ? [entry.accepted ? 'accepted' : `--accept ${entry.accept}`] : []),
  ];
  return `${key} (${origin})${about.length > 0 ? `: ${about.join('; ')}` : ''}`;
}
