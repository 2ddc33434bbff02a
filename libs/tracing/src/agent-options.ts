// The connections to the receiver of traces: names are looked up without a thread of libuv, and certificates are those of
// OpenTelemetry's variables. Its exporter reads these for connections of its own only.
import { readFileSync } from 'node:fs';
import type { AgentOptions } from 'node:https';
import { environmentVariable, lookupHost } from '@tessera/runtime';

export function agentOptions(): AgentOptions {
  const ca = contentOf('CERTIFICATE');
  const cert = contentOf('CLIENT_CERTIFICATE');
  const key = contentOf('CLIENT_KEY');
  return {
    keepAlive: true,
    lookup: lookupHost,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  };
}

/** The exporter warns of a file that cannot be read. */
function contentOf(variable: string): Buffer | undefined {
  const path =
    environmentVariable(`OTEL_EXPORTER_OTLP_TRACES_${variable}`) ||
    environmentVariable(`OTEL_EXPORTER_OTLP_${variable}`);
  if (!path) return undefined;
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
