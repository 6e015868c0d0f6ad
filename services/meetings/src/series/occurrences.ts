import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type Details, isClosed, type Response, roomName } from '../meetings/meeting-repository.ts';
import { readSeriesAnswers, type SeriesAnswers } from './series-answers.ts';
import type { SeriesRow } from './series-repository.ts';

type Place = Pick<Details, 'title' | 'description' | 'agenda' | 'location' | 'meeting_link'> & {
  id: string;
  original_start: Date;
  starts_at: Date;
  ends_at: Date;
  version: number;
  timezone: string;
  /** Over, or closed before its end: it stays as it is. */
  is_past: boolean;
  room_name: string | null;
};

/** In what the people of a meeting are not those of its series, or have answered otherwise than to it. */
type OwnPeople = {
  /** Null where they are those of the series: most are, and there may be hundreds. */
  user_ids: string[] | null;
  /** Without the organiser, who is not asked. */
  answers: Record<string, Response>;
};

export type Occurrence = Place & OwnPeople;

/** The meetings of a series that are there, in the order of the rule, and what has been answered to it as a whole. */
export type Occurrences = { occurrences: Occurrence[]; usual: SeriesAnswers };

/** Reads them. Told apart where their people are, as a set: there may be hundreds of people's rows for each of hundreds of meetings. */
export async function readOccurrences(tx: Queryable, series: SeriesRow): Promise<Occurrences> {
  const usual = await readSeriesAnswers(tx, series);
  const [places, own] = [await listPlaces(tx, series.id), await listOwnPeople(tx, series, usual)];
  return { usual, occurrences: places.map((place) => ({ ...place, ...(own.get(place.id) ?? AS_THE_SERIES) })) };
}

/**
 * Reads them after a change that left everybody's invitation as it was: `before` is how they were. Where it asked `again`, all answers are
 * taken back.
 */
export async function rereadOccurrences(
  tx: Queryable,
  series: SeriesRow,
  { before, again }: { before: Occurrences; again: boolean },
): Promise<Occurrences> {
  const own = new Map(before.occurrences.map(({ id, user_ids, answers }) => [id, { user_ids, answers }]));
  const peopleOf = (id: string): OwnPeople => {
    const people = own.get(id) ?? AS_THE_SERIES;
    return again ? { ...people, answers: {} } : people;
  };
  const places = await listPlaces(tx, series.id);
  return {
    usual: again ? new Map() : before.usual,
    occurrences: places.map((place) => ({ ...place, ...peopleOf(place.id) })),
  };
}

const AS_THE_SERIES: OwnPeople = { user_ids: null, answers: {} };

async function listPlaces(tx: Queryable, seriesId: string): Promise<Place[]> {
  const { rows } = await tx.query<Place>(
    `select m.id, m.original_start, m.starts_at, m.ends_at, m.version, m.timezone, m.ends_at <= now() or ${isClosed('m')} as is_past,
            m.title, m.description, m.agenda, m.location, m.meeting_link, ${roomName('m')}
     from meetings m where m.series_id = $1 order by m.original_start`,
    [seriesId],
  );
  return rows;
}

/** By the meeting's id. */
async function listOwnPeople(
  tx: Queryable,
  { id, participant_ids, organizer_id }: SeriesRow,
  usual: SeriesAnswers,
): Promise<Map<string, OwnPeople>> {
  const { rows } = await tx.query<OwnPeople & { id: string }>(
    `select p.meeting_id as id, coalesce(p.answers, '{}') as answers,
            case when p.invited <> $4 or p.of_series <> $4
              then array(select user_id from participants where meeting_id = p.meeting_id order by position) end as user_ids
     from (
       select p.meeting_id, count(*) as invited, count(s.user_id) as of_series,
              json_object_agg(p.user_id, p.response)
                filter (where p.response <> coalesce(s.usual, 'pending') and p.user_id <> $5) as answers
       from meetings m join participants p on p.meeting_id = m.id
       left join unnest($2::text[], $3::text[]) as s (user_id, usual) on s.user_id = p.user_id
       where m.series_id = $1 group by p.meeting_id
     ) p where p.answers is not null or p.invited <> $4 or p.of_series <> $4`,
    [
      id,
      participant_ids,
      participant_ids.map((one) => usual.get(one) ?? 'pending'),
      participant_ids.length,
      organizer_id,
    ],
  );
  return new Map(rows.map(({ id: meetingId, ...own }) => [meetingId, own]));
}
