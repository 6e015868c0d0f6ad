import { isolate } from '@atrium/proto-events/text/isolate';
import { displayName } from './person.ts';
import { usePeopleOf } from './use-people.ts';

/** One request resolves this many ids. */
const MAX_NAMED = 100;

/** Users by their ids, as text. */
export function UserNames({ ids }: { ids: readonly string[] }) {
  const users = usePeopleOf(ids.slice(0, MAX_NAMED)).data?.data ?? [];
  const names = users.map((user) => isolate(displayName(user)));
  const others = ids.length - names.length;
  if (ids.length === 0) return 'None';
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
