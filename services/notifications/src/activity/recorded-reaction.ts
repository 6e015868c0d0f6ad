import type { EventDefinition, EventOf } from '@atrium/proto-events/event';
import { on, type Reaction } from '@atrium/service-kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { type Details, recordActivity, type Subject } from './record-activity.ts';

type RecordedReaction<D extends EventDefinition> = {
  about: (data: EventOf<D>['data']) => Subject;
  details?: (data: EventOf<D>['data']) => Details;
  /** Must be idempotent and resumable: handlers have no inbox. */
  effect?: (deps: Deps, event: EventOf<D>) => Promise<void>;
};

/** Records an event and then runs its effect. While the store is unavailable, the event stays queued. */
export function recordedReaction<D extends EventDefinition>(
  deps: Deps,
  event: D,
  { about, details, effect }: RecordedReaction<D>,
): Reaction {
  return on(event, (received) =>
    deps.store.reach(async () => {
      await recordActivity(deps.store, received, about(received.data), details?.(received.data));
      await effect?.(deps, received);
    }),
  );
}
