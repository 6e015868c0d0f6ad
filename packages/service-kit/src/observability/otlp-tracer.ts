import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceConfig } from '../config/env.ts';
import { trimTrailingSlashes } from '../config/shared-variables.ts';
import { describeError } from '../errors/describe-error.ts';
import type { ActiveSpan, SpanOptions, Tracer } from './tracing.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Creates a tracer that sends spans in batches by OTLP over HTTP, as JSON, which every collector supports. */
export function createTracer(service: string, config: TraceConfig): Tracer {
  const contexts = new AsyncLocalStorageContextManager().enable();
  const provider = new TracerProvider({
    resource: buildResource(service),
    sampler: createSampler(config),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: getTracesUrl(config) }) })],
  });
  const tracer = provider.getTracer('atrium');

  const getParentContext = ({ parent }: SpanOptions): Context => {
    const remote = parent === undefined ? null : parseTraceParent(parent);
    return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : contexts.active();
  };
  const toActiveSpan = (span: Span, context: Context): ActiveSpan => ({
    traceparent: toTraceparent(span),
    run: (work) => contexts.with(context, work),
    end({ name, attributes, error } = {}) {
      if (name !== undefined) span.updateName(name);
      if (attributes) span.setAttributes(attributes);
      if (error !== undefined) {
        const { type, message } = describeError(error);
        span.setAttribute('error.type', type);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
    },
  });
  return {
    begin(options) {
      const { name, kind = 'internal', attributes = {}, root = false } = options;
      const parent = getParentContext(options);
      if (!root && !trace.getSpanContext(parent)) return undefined;
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
      return toActiveSpan(span, trace.setSpan(parent, span));
    },
    ids() {
      const spanContext = trace.getSpanContext(contexts.active());
      return spanContext && { traceId: spanContext.traceId, spanId: spanContext.spanId };
    },
    traceparent() {
      const span = trace.getSpan(contexts.active());
      return span && toTraceparent(span);
    },
    close: () => provider.shutdown(),
  };
}

function toTraceparent(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

const buildResource = (service: string) =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': `atrium-${service}`, 'service.namespace': 'atrium' }))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }));

function getTracesUrl({
  OTEL_EXPORTER_OTLP_ENDPOINT: base,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesUrl,
}: TraceConfig): string {
  return tracesUrl ?? `${trimTrailingSlashes(base ?? '')}/v1/traces`;
}

function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TraceConfig): Sampler {
  const isParentBased = name.startsWith('parentbased_');
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[name.replace('parentbased_', '')]?.() ?? new AlwaysOnSampler();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}
