import { describe, expect, test } from '@jest/globals';
import { CoreSettings } from './core-settings.js';
import { loadSettings } from './load-settings.js';
import { Group } from './setting.js';
import { TracingSettings } from './tracing-settings.js';

class Settings extends CoreSettings {
  @Group(TracingSettings) readonly tracing = new TracingSettings();
}

const SECRET = 'Mellon-0123456789';

async function load(...argv: readonly string[]): Promise<TracingSettings> {
  const context = { application: 'sso', argv, env: {}, directory: '/nonexistent' };
  return (await loadSettings(Settings, context)).settings.tracing;
}

describe('the settings of traces', () => {
  test.each([
    ['a share above 1', '--tracing.sample-ratio=1.01', 'sample-ratio: must not be greater than 1'],
    ['a share in percent', '--tracing.sample-ratio=50%', 'sample-ratio: must be a decimal number'],
    [
      'a URL that is none',
      '--tracing.otlp.url=collector',
      'otlp.url: must be an http or https URL',
    ],
    ['a URL that cannot be parsed', '--tracing.otlp.url=http://[x]/', 'otlp.url: must be an http'],
    ['a URL of gRPC', '--tracing.otlp.url=grpc://x:4317', 'otlp.url: must be an http or https URL'],
    ['a user in the URL', `--tracing.otlp.url=http://a:${SECRET}@x/`, 'without query, fragment or'],
    ['a query in the URL', `--tracing.otlp.url=http://x/?key=${SECRET}`, 'without query, fragment'],
    [
      'a header without a name',
      `--tracing.otlp.headers=a: b,${SECRET}`,
      'otlp.headers: element 2 must have the form Name: value',
    ],
    [
      'a header of two lines',
      `--tracing.otlp.headers=a: ${SECRET}\nb: c`,
      'otlp.headers: element 1 must have the form Name: value',
    ],
    ['a header without a value', '--tracing.otlp.headers=a:', 'must have the form Name: value'],
  ])('refuse %s, and quote no secret', async (_, argument, message) => {
    const error = await load(argument).catch((thrown: unknown) => String(thrown));
    expect(error).toContain(message);
    expect(error).not.toContain(SECRET);
  });

  test('are off by default, for a receiver on this machine', async () => {
    expect(await load()).toMatchObject({
      isEnabled: false,
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: {},
      sampleRatio: 1,
    });
  });

  test('have headers by name', async () => {
    const argument = '--tracing.otlp.headers=Authorization: Basic YTpi, x-key:k=1 ';
    const { headers } = await load(argument);
    expect(headers).toEqual({ Authorization: 'Basic YTpi', 'x-key': 'k=1' });
  });
});
