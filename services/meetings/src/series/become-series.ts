import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { handOnAgenda } from '../agenda/agenda-repository.ts';
import { seriesCalendar } from '../calendar/calendar-object.ts';
import { noteSeriesAsked } from '../meetings/asked-anew.ts';
import { seriesFacts } from '../meetings/meeting-facts.ts';
import { type Frequency, type MeetingRow, readMeeting } from '../meetings/meeting-repository.ts';
import { refuseEarlyEnd } from '../meetings/meeting-rules.ts';
import { arrangeSeries } from './arrange-series.ts';
import { readOccurrences } from './occurrences.ts';
import { beginWith, findSeries, insertSeries } from './series-repository.ts';
import { newSeries } from './start-series.ts';

/** Makes a single meeting the first of a series; calendars go on knowing it by the id they have. */
export async function becomeSeries(
  tx: Queryable,
  row: MeetingRow,
  { frequency, lastDay }: { frequency: Frequency; lastDay: string | null },
) {
  refuseEarlyEnd(lastDay, row.starts_at, row.timezone);
  const durationMs = row.ends_at.getTime() - row.starts_at.getTime();
  const participant_ids = row.participants.map(({ id }) => id);
  const fresh = newSeries({ ...row, participant_ids, frequency, first: row.starts_at, lastDay, durationMs });
  const series = { ...fresh, calendar_id: row.id, sequence: row.sequence };
  await insertSeries(tx, series);
  await noteSeriesAsked(tx, series.id);
  await handOnAgenda(tx, { meetingId: row.id }, series.id);
  await beginWith(tx, row.id, series);
  await arrangeSeries(tx, series, {
    pivot: series.first_start,
    members: (await readOccurrences(tx, series)).occurrences,
    pattern: { frequency, first: series.first_start, timezone: row.timezone, lastDay },
    durationMs,
    timed: false,
    again: false,
    // Who has answered one meeting has not answered a series.
    answers: new Map(),
  });
  const begun = await findSeries(tx, series.id);
  const facts = seriesFacts(begun, await readMeeting(tx, row.id));
  return { facts, calendar: await seriesCalendar(tx, begun) };
}
