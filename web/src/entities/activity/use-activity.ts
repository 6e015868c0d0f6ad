import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { ActivityKind, listActivity } from '@atrium/proto-events/http/activity';
import { dateOfDay } from '#lib/day.ts';
import { useRead } from '#lib/query/use-read.ts';

export type ActivityEntry = ResponseOf<typeof listActivity>['data'][number];

export type ActivityFilters = { user: string; kind: string; from: string; to: string; page: string };

const PAGE_SIZE = 25;

/** Not imported from the contract, which would pull the schema library into every screen. */
const KINDS: Readonly<Record<ActivityKind, true>> = { security: true, accounts: true, users: true };
const isKind = (given: string): given is ActivityKind => Object.hasOwn(KINDS, given);

/** The activity log, newest first; administrators only. `to` is inclusive. */
export function useActivity(isAllowed: boolean, { user, kind, from, to, page }: ActivityFilters) {
  const [since, until] = [midnight(from, 0), midnight(to, 1)];
  const query = {
    page,
    limit: PAGE_SIZE,
    ...(user && { user }),
    ...(isKind(kind) && { kind }),
    ...(since !== undefined && { from: since }),
    ...(until !== undefined && { to: until }),
  };
  return useRead<typeof listActivity>('GET /activity', isAllowed ? { query } : null);
}

/** Midnight in the browser's time zone, `daysLater` days after `day`; undefined without a day. */
function midnight(day: string, daysLater: number): string | undefined {
  const date = dateOfDay(day);
  date?.setDate(date.getDate() + daysLater);
  return date?.toISOString();
}
