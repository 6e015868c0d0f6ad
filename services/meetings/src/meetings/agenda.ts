import type { agendaItemInput } from '@atrium/proto-events/http/meetings/meeting-fields';
import { assertActiveUsers } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { recordContentChange } from '../events/append-meeting-events.ts';
import { type AgendaItem, saveAgendas, saveSeriesAgenda } from '../model/agenda-repository.ts';
import { type MeetingRow, readMeeting } from '../model/meeting-repository.ts';
import { listOpenFrom } from '../model/series-repository.ts';
import type { Scope } from './series-part.ts';

type AgendaInput = z.output<typeof agendaItemInput>[];

export function assertActivePresenters(
  directory: Directory,
  input: AgendaInput | undefined,
  currentItems: AgendaItem[] = [],
): void {
  const currentIds = new Set(currentItems.map(({ userId }) => userId));
  const ids = (input ?? []).flatMap(({ who }) => (who === null || currentIds.has(who) ? [] : who));
  assertActiveUsers(directory, ids, {
    field: 'agendaItems',
    message: 'Agenda items can be assigned to active users only',
  });
}

export async function createAgenda(
  tx: Queryable,
  { id, seriesId }: { id: string; seriesId: string | null },
  input: AgendaInput | undefined,
): Promise<void> {
  if (!input || input.length === 0) return;
  await writeAgenda(tx, { id, seriesId }, input);
}

type Target = {
  id: string;
  /** If set, also covers the open meetings of the series, optionally from a start on, and occurrences created later. */
  seriesId: string | null;
  from?: Date | undefined;
};

async function writeAgenda(tx: Queryable, { id, seriesId, from }: Target, input: AgendaInput): Promise<string[]> {
  const items = input.map(({ title, minutes, who }) => ({ title, minutes, userId: who }));
  if (seriesId === null) return saveAgendas(tx, [id], items);
  await saveSeriesAgenda(tx, seriesId, items);
  return saveAgendas(tx, await listOpenFrom(tx, seriesId, from), items);
}

type Change = {
  before: MeetingRow;
  input: AgendaInput | undefined;
  scope: Scope;
  /** Meetings that the rest of the change affects. Their versions are already incremented. */
  affectedMeetings: 'none' | 'one' | 'all';
  actorId: string;
};

/** `id` is the meeting after the other changes of the request were written. */
export async function updateAgenda(
  tx: Queryable,
  id: string,
  { before, input, scope, affectedMeetings, actorId }: Change,
): Promise<void> {
  if (input === undefined) return;
  const { series_id, original_start } = await readMeeting(tx, id);
  // A meeting that has just become a series represents the whole series.
  const seriesId = scope === 'this' && before.series_id !== null ? null : series_id;
  const from = (scope === 'following' && original_start) || undefined;
  const changedIds = await writeAgenda(tx, { id, seriesId, from }, input);
  const remainingIds = affectedMeetings === 'one' ? changedIds.filter((meetingId) => meetingId !== id) : changedIds;
  if (affectedMeetings === 'all' || remainingIds.length === 0) return;
  await recordContentChange(tx, id, { changed: ['agendaItems'], actorId, meetingIds: remainingIds });
}
