import type { Ack, ChatClientEvents, LiveClientEvents } from '@atrium/proto-events/realtime';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { toAppError } from '@atrium/service-kit/http/http-errors';
import { assertShallow } from '@atrium/service-kit/http/json-body';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { requestContext } from '@atrium/service-kit/observability/request-context';
import { withSpan } from '@atrium/service-kit/observability/tracing';
import { OTHER } from '@atrium/service-kit/observability/watch-request';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { EventRateLimit } from './event-rate-limits.ts';
import type { SocketMetrics } from './socket-metrics.ts';
import type { AnySocket } from './socket-server.ts';

type Payloads = Record<string, z.ZodType>;
type Events = ChatClientEvents & LiveClientEvents;
type Response<K> = K extends keyof Events
  ? Events[K] extends (payload: never, ack: (response: Ack<infer T>) => void) => void
    ? T
    : never
  : never;

/** The result of a handler is the acknowledgment's `data`. */
export type EventHandlers<P extends Payloads> = { [K in keyof P]: (payload: z.output<P[K]>) => Promise<Response<K>> };

/** Applies per socket; further events are rejected, not queued. */
const MAX_IN_FLIGHT = 256;

type Options = {
  rateLimit: () => EventRateLimit;
  log: Logger;
  metrics: SocketMetrics;
};

/** Acknowledges every event, even an unknown or invalid one. */
export function handleSocketEvents<P extends Payloads>(
  socket: AnySocket,
  events: { payloads: P; handlers: EventHandlers<P> },
  { rateLimit, log, metrics }: Options,
): void {
  let inFlight = 0;
  const handle = async (event: string, payload: unknown): Promise<Ack<unknown>> => {
    inFlight += 1;
    try {
      const limit = rateLimit();
      const isAllowed = limit.take();
      if (limit.isFlooding()) {
        log.warn({ userId: socket.data.caller.userId }, 'Closed a flooding socket');
        socket.disconnect(true);
      }
      if (!isAllowed || inFlight > MAX_IN_FLIGHT) throw new AppError('rate_limited', 'Too many events at once');
      return { ok: true, data: await run(events, event, payload) };
    } catch (error) {
      const { code, message, status } = toAppError(error);
      if (status >= 500) log.error({ err: error, code, event }, 'Failed to handle a socket event');
      return { ok: false, error: { code, message } };
    } finally {
      inFlight -= 1;
    }
  };
  socket.onAny((event: string, ...args: unknown[]) => {
    const lastArgument = args.at(-1);
    const acknowledge = typeof lastArgument === 'function' ? lastArgument : undefined;
    const payload = args[0] === acknowledge ? undefined : args[0];
    const name = Object.hasOwn(events.payloads, event) ? event : OTHER;
    void requestContext.run({ requestId: newId(), userId: socket.data.caller.userId }, async () => {
      const span = { name: `socket ${name}`, kind: 'server', root: true } as const;
      const result = await withSpan(span, () => handle(event, payload));
      metrics.countEvent(name, result.ok ? 'ok' : result.error.code);
      acknowledge?.(result);
    });
  });
}

async function run<P extends Payloads>(
  { payloads, handlers }: { payloads: P; handlers: EventHandlers<P> },
  event: string,
  payload: unknown,
): Promise<unknown> {
  const schema = Object.hasOwn(payloads, event) ? payloads[event] : undefined;
  if (!schema) throw new AppError('not_found', 'There is no such event');
  assertShallow(payload);
  return handlers[event]?.(parseInput('body', schema, payload ?? {}) as z.output<P[string]>);
}
