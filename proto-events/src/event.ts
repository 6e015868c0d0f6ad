import { z } from 'zod';

/** The common fields of all events. Times are ISO 8601 UTC. */
export const envelope = z.object({
  id: z.string(),
  type: z.string(),
  version: z.int().positive().describe('Version of the schema of `data`'),
  occurredAt: z.iso.datetime(),
  actorId: z.string().nullable().describe('The user who caused it; null for the system'),
  requestId: z.string(),
  traceparent: z
    .string()
    .optional()
    .describe('The span that caused it, in W3C Trace Context format, if tracing is enabled'),
  data: z.unknown(),
});

export type EventOf<D extends EventDefinition> = Omit<z.infer<typeof envelope>, 'data'> & { data: z.output<D['data']> };

/** A version of an event. `type` is `<service>.<entity>.<past-tense>`. */
export type EventDefinition<Data extends z.ZodType = z.ZodType> = {
  readonly type: string;
  readonly version: number;
  readonly data: Data;
};

export function defineEvent<const T extends string, Data extends z.ZodType>(type: T, version: number, data: Data) {
  return { type, version, data } as const satisfies EventDefinition<Data>;
}

/** Returns `<type>.v<version>`: the subject below the deployment's prefix, and the name of the event's fixture. */
export function subjectOf(event: Pick<EventDefinition, 'type' | 'version'>): string {
  return `${event.type}.v${event.version}`;
}

/** Returns the publishing service, which is also the name of the stream that keeps the event. */
export function producerOf(event: Pick<EventDefinition, 'type'>): string {
  return event.type.slice(0, event.type.indexOf('.'));
}

export function isEventDefinition(value: unknown): value is EventDefinition {
  return typeof value === 'object' && value !== null && 'type' in value && 'version' in value && 'data' in value;
}
