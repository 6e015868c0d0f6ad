import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { MeetingRow } from './meeting-repository.ts';
import { maySee } from './policy.ts';

/** Throws `not_found` for who may not see it, as for a meeting that is not there. */
export function assertVisible(caller: Caller, row: MeetingRow | undefined): MeetingRow {
  if (!row || !maySee(caller, row)) throw notFound('Meeting');
  return row;
}
