// The settings of traces, of both applications.
import { Max, Min } from 'class-validator';
import { secretList } from './parsers/collections.js';
import { boolean, decimal, text } from './parsers/scalars.js';
import { NeedsRestart } from './reload/restart.js';
import type { Secret } from './secret.js';
import { Setting, type SettingsGroup } from './setting.js';
import type { Violation } from './violation.js';

const URL_FORM = /^https?:\/\/[^?#@\\\s]+$/i;
/** @see RFC 9110 §5.1 and §5.5 */
const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([!-~]+(?:[ \t]+[!-~]+)*)[ \t]*$/;

@NeedsRestart()
export class TracingSettings implements SettingsGroup {
  @Setting('tracing.enabled', boolean) isEnabled = false;
  /** Of an OTLP/HTTP receiver, with the path. */
  @Setting('tracing.otlp.url', text) url = 'http://127.0.0.1:4318/v1/traces';
  /** Sent to the receiver, each as `Name: value`. */
  @Setting('tracing.otlp.headers', secretList) givenHeaders: readonly Secret[] = [];
  /** The share of traces that are recorded, of those that begin here. */
  @Setting('tracing.sample-ratio', decimal) @Min(0) @Max(1) sampleRatio = 1;

  /** For valid settings. */
  get headers(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.givenHeaders.flatMap((header) => {
        const [, name = '', value = ''] = HEADER.exec(header.reveal()) ?? [];
        return name === '' ? [] : [[name, value] as const];
      }),
    );
  }

  *check(): Iterable<Violation> {
    if (!URL_FORM.test(this.url) || !URL.canParse(this.url)) {
      const message = 'must be an http or https URL without query, fragment or user';
      yield { key: 'tracing.otlp.url', message };
    }
    const invalid = this.givenHeaders.findIndex((header) => !HEADER.test(header.reveal()));
    if (invalid >= 0) {
      const message = `element ${invalid + 1} must have the form Name: value`;
      yield { key: 'tracing.otlp.headers', message };
    }
  }
}
