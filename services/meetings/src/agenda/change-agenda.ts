import type { agendaItemGiven } from '@atrium/proto-events/http/after-meeting/agenda';
import * as people from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { publishContentChanged } from '../closing/publish-content-changed.ts';
import { type MeetingRow, readMeeting } from '../meetings/meeting-repository.ts';
import { listOpenFrom } from '../series/series-repository.ts';
import type { Scope } from '../series/series-scope.ts';
import { type AgendaItem, keepAgendas, keepSeriesAgenda } from './agenda-repository.ts';

type Given = z.output<typeof agendaItemGiven>[];

const toItems = (given: Given): AgendaItem[] =>
  given.map(({ title, minutes, who }) => ({ title, minutes, userId: who }));

/** Throws `validation_failed` unless whoever has an item is an active user, or had one before. */
export function requirePresenters(directory: Directory, given: Given | undefined, before: AgendaItem[] = []): void {
  const had = new Set(before.map(({ userId }) => userId));
  const ids = (given ?? []).flatMap(({ who }) => (who === null || had.has(who) ? [] : who));
  people.assertActiveUsers(directory, ids, {
    field: 'agendaItems',
    message: 'Agenda items can be given to active users only',
  });
}

/** The agenda that a new meeting begins with, or each of a new series. */
export async function beginAgenda(
  tx: Queryable,
  { id, seriesId }: { id: string; seriesId: string | null },
  given: Given | undefined,
): Promise<void> {
  if (!given || given.length === 0) return;
  const items = toItems(given);
  if (seriesId !== null) await keepSeriesAgenda(tx, seriesId, items);
  await keepAgendas(tx, seriesId === null ? [id] : await listOpenFrom(tx, seriesId, undefined), items);
}

type Change = {
  before: MeetingRow;
  given: Given | undefined;
  scope: Scope;
  /** What an event is on its way of, which has counted versions: nothing, the meeting alone, or all that the change is for. */
  told: 'none' | 'one' | 'all';
  actorId: string;
};

/** Gives a meeting another agenda, or with a scope the part of its series. `id`: of the meeting after what else was changed. */
export async function changeAgenda(
  tx: Queryable,
  id: string,
  { before, given, scope, told, actorId }: Change,
): Promise<void> {
  if (given === undefined) return;
  const items = toItems(given);
  const { series_id, original_start } = await readMeeting(tx, id);
  // One that has just become a series stands for all of it.
  const seriesId = scope === 'this' && before.series_id !== null ? null : series_id;
  if (seriesId !== null) await keepSeriesAgenda(tx, seriesId, items);
  const from = (scope === 'following' && original_start) || undefined;
  const changed = await keepAgendas(tx, seriesId === null ? [id] : await listOpenFrom(tx, seriesId, from), items);
  const untold = told === 'one' ? changed.filter((one) => one !== id) : changed;
  if (told === 'all' || untold.length === 0) return;
  await publishContentChanged(tx, id, { changed: ['agendaItems'], actorId, of: untold });
}
