import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { MeetingRow } from './meeting-repository.ts';
import { canView } from './policy.ts';

/** Throws `not_found` for hidden meetings as for unknown ones. */
export function assertVisible(caller: Caller, row: MeetingRow | undefined): MeetingRow {
  if (!row || !canView(caller, row)) throw notFound('Meeting');
  return row;
}
