import type { EventDefinition, EventOf } from '@atrium/proto-events/event';
import { on, type Reaction } from '@atrium/service-kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { type Details, recordActivity, type Subject } from './record-activity.ts';

type RecordedReaction<D extends EventDefinition> = {
  about: (data: EventOf<D>['data']) => Subject;
  /** What else the record keeps. */
  details?: (data: EventOf<D>['data']) => Details;
  /** What else follows. There is no inbox: it must come to the same when it runs again, also after half of it was done. */
  effect?: (deps: Deps, event: EventOf<D>) => Promise<void>;
};

/** A reaction to an event: it is recorded, and whoever it concerns is told. While the store is away the event waits. */
export function recordedReaction<D extends EventDefinition>(
  deps: Deps,
  event: D,
  { about, details, effect }: RecordedReaction<D>,
): Reaction {
  return on(event, (occurrence) =>
    deps.store.reach(async () => {
      await recordActivity(deps.store, occurrence, about(occurrence.data), details?.(occurrence.data));
      await effect?.(deps, occurrence);
    }),
  );
}
