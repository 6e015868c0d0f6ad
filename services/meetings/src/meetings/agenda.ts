import type { agendaItemInput } from '@atrium/proto-events/http/meeting-fields';
import * as people from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { publishContentChanged } from '../events/change-events.ts';
import { type AgendaItem, saveAgendas, saveSeriesAgenda } from '../model/agenda-repository.ts';
import { type MeetingRow, readMeeting } from '../model/meeting-repository.ts';
import { listOpenFrom } from '../model/series-repository.ts';
import type { Scope } from './series-part.ts';

type AgendaInput = z.output<typeof agendaItemInput>[];

const toItems = (input: AgendaInput): AgendaItem[] =>
  input.map(({ title, minutes, who }) => ({ title, minutes, userId: who }));

/** Throws `validation_failed` unless every presenter is an active user or was one before. */
export function requirePresenters(
  directory: Directory,
  input: AgendaInput | undefined,
  before: AgendaItem[] = [],
): void {
  const earlierIds = new Set(before.map(({ userId }) => userId));
  const ids = (input ?? []).flatMap(({ who }) => (who === null || earlierIds.has(who) ? [] : who));
  people.assertActiveUsers(directory, ids, {
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
  const items = toItems(input);
  if (seriesId !== null) await saveSeriesAgenda(tx, seriesId, items);
  await saveAgendas(tx, seriesId === null ? [id] : await listOpenFrom(tx, seriesId, undefined), items);
}

type Change = {
  before: MeetingRow;
  input: AgendaInput | undefined;
  scope: Scope;
  /** Which meetings an event of the same change covers already, with their version incremented. */
  alreadyPublished: 'none' | 'one' | 'all';
  actorId: string;
};

/** `id` is the meeting after the other changes of the request were written. */
export async function changeAgenda(
  tx: Queryable,
  id: string,
  { before, input, scope, alreadyPublished, actorId }: Change,
): Promise<void> {
  if (input === undefined) return;
  const items = toItems(input);
  const { series_id, original_start } = await readMeeting(tx, id);
  // A meeting that has just become a series represents all of it.
  const seriesId = scope === 'this' && before.series_id !== null ? null : series_id;
  if (seriesId !== null) await saveSeriesAgenda(tx, seriesId, items);
  const from = (scope === 'following' && original_start) || undefined;
  const changed = await saveAgendas(tx, seriesId === null ? [id] : await listOpenFrom(tx, seriesId, from), items);
  const unpublished = alreadyPublished === 'one' ? changed.filter((meetingId) => meetingId !== id) : changed;
  if (alreadyPublished === 'all' || unpublished.length === 0) return;
  await publishContentChanged(tx, id, { changed: ['agendaItems'], actorId, meetingIds: unpublished });
}
