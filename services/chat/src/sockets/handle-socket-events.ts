import type { Ack, ChatClientEvents, LiveClientEvents } from '@atrium/proto-events/realtime';
import { AppError } from '@atrium/service-kit/http/app-error';
import { toAppError } from '@atrium/service-kit/http/http-errors';
import { requireShallow } from '@atrium/service-kit/http/json-depth';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import { requestContext } from '@atrium/service-kit/http/request-context';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { inSpan } from '@atrium/service-kit/observability/tracing';
import { OTHER } from '@atrium/service-kit/observability/watch-request';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { EventBudget } from './event-rate-limits.ts';
import type { SocketMetrics } from './socket-metrics.ts';
import type { AnySocket } from './socket-server.ts';

/** What the payload of each event of a namespace must be. */
type Payloads = Record<string, z.ZodType>;
type Events = ChatClientEvents & LiveClientEvents;
type Answer<K> = K extends keyof Events
  ? Events[K] extends (payload: never, ack: (answer: Ack<infer T>) => void) => void
    ? T
    : never
  : never;

/** What each event does; its result is the acknowledgement's `data`. */
export type EventHandlers<P extends Payloads> = { [K in keyof P]: (payload: z.output<P[K]>) => Promise<Answer<K>> };

/** Work of one socket that may be under way at once; what comes beyond is refused rather than queued. */
const MOST_UNDER_WAY = 256;

type Options = {
  /** What its person may send, on all sockets together. */
  budget: () => EventBudget;
  log: Logger;
  metrics: SocketMetrics;
};

/**
 * Acknowledges every event of a socket, known or not, valid or not: `{ ok: true, data }` or `{ ok: false, error }`. Each runs under a
 * request id of its own, as an HTTP request does.
 */
export function handleSocketEvents<P extends Payloads>(
  socket: AnySocket,
  events: { payloads: P; handlers: EventHandlers<P> },
  { budget, log, metrics }: Options,
): void {
  let underWay = 0;
  const answer = async (event: string, payload: unknown): Promise<Ack<unknown>> => {
    underWay += 1;
    try {
      const spending = budget();
      const isWithin = spending.take();
      if (spending.isFlooding()) {
        log.warn({ userId: socket.data.caller.userId }, 'a socket that floods is closed');
        socket.disconnect(true);
      }
      if (!isWithin || underWay > MOST_UNDER_WAY) throw new AppError('rate_limited', 'Too many events at once');
      return { ok: true, data: await run(events, event, payload) };
    } catch (error) {
      const { code, message, status } = toAppError(error);
      if (status >= 500) log.error({ err: error, code, event }, 'a socket event failed');
      return { ok: false, error: { code, message } };
    } finally {
      underWay -= 1;
    }
  };
  socket.onAny((event: string, ...given: unknown[]) => {
    const last = given.at(-1);
    const acknowledge = typeof last === 'function' ? last : undefined;
    const payload = given[0] === acknowledge ? undefined : given[0];
    const name = Object.hasOwn(events.payloads, event) ? event : OTHER;
    void requestContext.run({ requestId: newId(), userId: socket.data.caller.userId }, async () => {
      const span = { name: `socket ${name}`, kind: 'server', root: true } as const;
      const result = await inSpan(span, () => answer(event, payload));
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
  requireShallow(payload);
  return handlers[event]?.(parseInput('body', schema, payload ?? {}) as z.output<P[string]>);
}
