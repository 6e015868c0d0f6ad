import { isolate } from '@atrium/proto-events/text/isolate';
import { displayName } from './person.ts';
import { usePeopleOf } from './use-people.ts';

/** Ids per request. */
const MAX_NAMED = 100;

export function UserNames({ ids }: { ids: readonly string[] }) {
  const users = usePeopleOf(ids.slice(0, MAX_NAMED)).data?.data ?? [];
  const names = users.map((user) => isolate(displayName(user)));
  const others = ids.length - names.length;
  if (ids.length === 0) return 'None';
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
