import { z } from 'zod';

/**
 * Configures traces by OpenTelemetry's own variables; its exporter reads further ones (headers, timeouts,
 * certificates) itself.
 */
export const traceEnv = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('OTLP/HTTP endpoint for traces, such as `http://otel-collector:4318`; tracing is off if unset'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional().describe('the same, including the path'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('which requests are traced, including everything they cause'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).describe('sampling ratio of `traceidratio`'),
});

export type TraceConfig = z.infer<typeof traceEnv>;
