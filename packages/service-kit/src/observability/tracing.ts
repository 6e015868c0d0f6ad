import type { TraceConfig } from '../config/env.ts';

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

export type SpanOptions = {
  /** Must have low cardinality: a route, a statement, an event; never user input. */
  name: string;
  kind?: SpanKind;
  attributes?: Record<string, string | number>;
  /** A `traceparent`; the active span by default. */
  parent?: string | undefined;
  /** Whether the span starts a trace if there is no parent. */
  root?: boolean;
};

export type ActiveSpan = {
  traceparent: string;
  run<T>(work: () => T): T;
  end(result?: { name?: string; attributes?: Record<string, string | number>; error?: unknown }): void;
};

/** Implemented by a module that is loaded only if tracing is enabled. */
export type Tracer = {
  begin(options: SpanOptions): ActiveSpan | undefined;
  ids(): { traceId: string; spanId: string } | undefined;
  traceparent(): string | undefined;
  close(): Promise<void>;
};

let tracer: Tracer | undefined;

/** The trace context header of HTTP and NATS. */
export const TRACEPARENT = 'traceparent';

/** Loads nothing if tracing is not configured; each span then costs one comparison. */
export async function startTracing(service: string, config: TraceConfig): Promise<{ close(): Promise<void> }> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesUrl } = config;
  if (base === undefined && tracesUrl === undefined) return { close: async () => undefined };
  const { createTracer } = await import('./otlp-tracer.ts');
  tracer = createTracer(service, config);
  return tracer;
}

/** Returns undefined without tracing, or without a parent unless `root` is set. */
export function startSpan(options: SpanOptions): ActiveSpan | undefined {
  return tracer?.begin(options);
}

export function withSpan<T>(options: SpanOptions, work: () => T): T {
  const span = tracer?.begin(options);
  if (!span) return work();
  return span.run(() => {
    try {
      const result = work();
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      result.then(
        () => span.end(),
        (error: unknown) => span.end({ error }),
      );
      return result;
    } catch (error) {
      span.end({ error });
      throw error;
    }
  });
}

export const isTracing = (): boolean => tracer !== undefined;

export const traceIds = (): { traceId: string; spanId: string } | undefined => tracer?.ids();

export const currentTraceparent = (): string | undefined => tracer?.traceparent();
