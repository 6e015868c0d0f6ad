import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import type { calendarAttached, meetingScheduled } from '@atrium/proto-events/events/meetings';
import { insertOnce } from '../store/insert-once.ts';
import type { CalendarPartRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

type Calendars = Pick<EventOf<typeof meetingScheduled>['data'], 'calendarParts'> &
  Partial<Record<CalendarPartRecord['of'], CalendarObject>>;

const partId = (changeId: string, index: number) => `${changeId}:${index}`;

/** Stores a part of a calendar whose event follows. Idempotent. */
export async function saveCalendarPart(store: Store, { data }: EventOf<typeof calendarAttached>): Promise<void> {
  const { changeId, index, ...part } = data;
  await insertOnce(store.calendarParts, [{ _id: partId(changeId, index), at: new Date(), ...part }]);
}

/** Returns the event with complete calendars. Throws if a part has not arrived yet, so that the event is redelivered. */
export async function joinCalendarParts<E extends { data: Calendars }>(store: Store, event: E): Promise<E> {
  const { calendar, calendarBefore, calendarParts } = event.data;
  if (!calendarParts) return event;
  const ids = Array.from({ length: calendarParts.count }, (_, index) => partId(calendarParts.changeId, index));
  const found = await store.calendarParts.find({ _id: { $in: ids } }).lean<CalendarPartRecord[]>();
  const byId = new Map(found.map((part) => [part._id, part]));
  const parts = ids.map((id) => {
    const part = byId.get(id);
    if (!part) throw new Error(`Calendar part ${id} has not arrived yet`);
    return part;
  });
  return {
    ...event,
    data: {
      ...event.data,
      ...(calendar && { calendar: withParts(calendar, parts, 'calendar') }),
      ...(calendarBefore && { calendarBefore: withParts(calendarBefore, parts, 'calendarBefore') }),
    },
  };
}

function withParts(calendar: CalendarObject, all: readonly CalendarPartRecord[], of: CalendarPartRecord['of']) {
  const parts = all.filter((part) => part.of === of);
  const { master } = calendar;
  return {
    ...calendar,
    master: master && { ...master, excludedStarts: parts.flatMap(({ excludedStarts }) => excludedStarts) },
    occurrences: parts.flatMap(({ occurrences }) => occurrences),
  };
}
