import type { TraceConfig } from './trace-config.ts';

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

export type SpanOptions = {
  /** Of few values: routes, statements, events; never what somebody typed. */
  name: string;
  kind?: SpanKind;
  attributes?: Record<string, string | number>;
  /** What it belongs to, as `traceparent` (W3C Trace Context) tells it; else what is going on here. */
  parent?: string | undefined;
  /** Whether it begins a trace where it belongs to none; else there is no span then. */
  root?: boolean;
};

/** Something that takes time, being measured. */
export type ActiveSpan = {
  /** To be told to whoever goes on with it elsewhere. */
  traceparent: string;
  /** Does work that belongs to it. */
  run<T>(work: () => T): T;
  end(result?: { name?: string; attributes?: Record<string, string | number>; error?: unknown }): void;
};

/** What loads only where traces are sent. */
export type Tracer = {
  begin(options: SpanOptions): ActiveSpan | undefined;
  ids(): { traceId: string; spanId: string } | undefined;
  traceparent(): string | undefined;
  close(): Promise<void>;
};

let tracer: Tracer | undefined;

/** The header that tells of a span, of HTTP and of NATS. */
export const TRACEPARENT = 'traceparent';

/** Sends traces from now on if the configuration says where to; else nothing is loaded, and each span costs one comparison. */
export async function startTracing(service: string, config: TraceConfig): Promise<{ close(): Promise<void> }> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact } = config;
  if (base === undefined && exact === undefined) return { close: async () => undefined };
  const { createTracer } = await import('./otlp-tracer.ts');
  tracer = createTracer(service, config);
  return tracer;
}

/** Begins a span that the caller ends; undefined where no traces are sent, or it belongs to nothing. */
export function beginSpan(options: SpanOptions): ActiveSpan | undefined {
  return tracer?.begin(options);
}

/** Does work within a span, as long as it takes; without traces it only does it. */
export function inSpan<T>(options: SpanOptions, work: () => T): T {
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

/** Whether traces are sent. */
export const isTracing = (): boolean => tracer !== undefined;

/** The trace and the span that are going on, for lines of the log. */
export const traceIds = (): { traceId: string; spanId: string } | undefined => tracer?.ids();

/** What is going on, for whoever goes on with it elsewhere. */
export const currentTraceparent = (): string | undefined => tracer?.traceparent();
