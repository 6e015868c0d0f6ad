import { type Ack, type ChatClientEvents, chatClientPayloads } from '@atrium/proto-events/realtime';
import { AppError } from '@atrium/service-kit/app-error';
import { toAppError } from '@atrium/service-kit/http-errors';
import type { Logger } from '@atrium/service-kit/logger';
import { newId } from '@atrium/service-kit/new-id';
import { requestContext } from '@atrium/service-kit/request-context';
import { validationError } from '@atrium/service-kit/validation-error';
import type { z } from 'zod';
import type { ChatSocket } from './socket-server.ts';

type EventName = keyof typeof chatClientPayloads;
type Payload<K extends EventName> = z.output<(typeof chatClientPayloads)[K]>;
type Answer<K extends EventName> = ChatClientEvents[K] extends (
  payload: never,
  ack: (answer: Ack<infer T>) => void,
) => void
  ? T
  : never;

/** What each event does; its result is the acknowledgement's `data`. */
export type EventHandlers = { [K in EventName]: (payload: Payload<K>) => Promise<Answer<K>> };

/** Work of one socket that may be under way at once; what comes beyond is refused rather than queued. */
const MOST_UNDER_WAY = 256;

/**
 * Acknowledges every event of a socket, known or not, valid or not: `{ ok: true, data }` or `{ ok: false, error }`. Each runs under a
 * request id of its own, as an HTTP request does.
 */
export function answerEvents(
  socket: ChatSocket,
  handlers: EventHandlers,
  { take, log }: { take: () => boolean; log: Logger },
): void {
  let underWay = 0;
  const answer = async (event: string, payload: unknown): Promise<Ack<unknown>> => {
    underWay += 1;
    try {
      if (!take() || underWay > MOST_UNDER_WAY) throw new AppError('rate_limited', 'Too many events at once');
      return { ok: true, data: await run(handlers, event, payload) };
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
    void requestContext.run({ requestId: newId(), userId: socket.data.caller.userId }, async () => {
      const result = await answer(event, payload);
      acknowledge?.(result);
    });
  });
}

async function run(handlers: EventHandlers, event: string, payload: unknown): Promise<unknown> {
  if (!isEvent(event)) throw new AppError('not_found', 'There is no such event');
  return runKnown(handlers, event, payload);
}

const isEvent = (event: string): event is EventName => Object.hasOwn(chatClientPayloads, event);

function runKnown<K extends EventName>(handlers: EventHandlers, event: K, payload: unknown) {
  const parsed = chatClientPayloads[event].safeParse(payload ?? {});
  if (!parsed.success) throw validationError('body', parsed.error);
  return handlers[event](parsed.data as Payload<K>);
}
