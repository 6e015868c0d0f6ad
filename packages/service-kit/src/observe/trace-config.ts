import { z } from 'zod';

/** Where traces go, by OpenTelemetry's own variables; its exporter reads further ones (headers, time-outs, certificates) itself. */
export const traceEnv = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'where traces go by OTLP over HTTP, such as `http://otel-collector:4318`; without an address there are none',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional().describe('the same with its path'),
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
    .describe('which requests are traced; what follows from one goes with it'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).describe('of `traceidratio`: the part of all'),
});

export type TraceConfig = z.infer<typeof traceEnv>;
