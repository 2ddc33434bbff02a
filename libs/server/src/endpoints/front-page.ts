// The HTML front page of an application.
import type { Answer } from '../answers/answer.js';
import { plainPage } from '../answers/plain-page.js';

/** The content of the page, all of it public. */
export interface FrontPage {
  readonly title: string;
  /** Plain text. */
  readonly paragraphs: readonly string[];
  /** Further pages of the application: path below the context path, and what it is for. */
  readonly pages?: readonly (readonly [path: string, purpose: string])[];
  /** Path below which the application answers, such as `/cas`; empty for none. */
  readonly contextPath: string;
  /** URL of the application for browsers. */
  readonly baseUrl: string;
}

const HEALTH = [
  ['/health/live', 'Health: live'],
  ['/health/ready', 'Health: ready'],
] as const;

export function renderFrontPage({ contextPath, pages = [], ...page }: FrontPage): Answer {
  const below = ([path, text]: readonly [string, string]) => [contextPath + path, text] as const;
  return plainPage({ ...page, links: pages.map(below), notes: HEALTH.map(below) });
}
