import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type Details, isClosed, type Response, roomName } from '../meetings/meeting-repository.ts';
import type { SeriesRow } from './series-repository.ts';
import { readSeriesRsvps, type SeriesAnswers } from './series-rsvps.ts';

type Place = Pick<Details, 'title' | 'description' | 'agenda' | 'location' | 'meeting_link'> & {
  id: string;
  original_start: Date;
  starts_at: Date;
  ends_at: Date;
  version: number;
  timezone: string;
  /** Ended, or closed before its end; never changes. */
  is_past: boolean;
  room_name: string | null;
};

type OwnPeople = {
  /** Null if equal to the series, as in most cases, since there may be hundreds. */
  user_ids: string[] | null;
  /** Without the organizer, who has no RSVP. */
  answers: Record<string, Response>;
};

export type Occurrence = Place & OwnPeople;

/** In the order of the rule, with the RSVPs to the whole series. */
export type Occurrences = { occurrences: Occurrence[]; usual: SeriesAnswers };

/** Reads only participants and RSVPs that differ: a series may have 100,000 participant rows. */
export async function readOccurrences(tx: Queryable, series: SeriesRow): Promise<Occurrences> {
  const usual = await readSeriesRsvps(tx, series);
  const [places, own] = [await listPlaces(tx, series.id), await listOwnPeople(tx, series, usual)];
  return { usual, occurrences: places.map((place) => ({ ...place, ...(own.get(place.id) ?? AS_THE_SERIES) })) };
}

/** Reads them after a change that kept all invitations: `before` is the previous state. With `again`, all RSVPs are reset. */
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

/** By meeting id. Older occurrences are in no calendar update (see `calendarOf`). */
async function listOwnPeople(tx: Queryable, series: SeriesRow, usual: SeriesAnswers): Promise<Map<string, OwnPeople>> {
  const found = new Map(await listOwnInvitations(tx, series));
  for (const { id, user_id, response } of await listOwnAnswers(tx, series, usual)) {
    const own = found.get(id) ?? { user_ids: null, answers: {} };
    own.answers[user_id] = response;
    found.set(id, own);
  }
  return found;
}

const RECENT = `m.ends_at > now() - interval '32 days'`;

async function listOwnInvitations(tx: Queryable, { id, participant_ids }: SeriesRow): Promise<[string, OwnPeople][]> {
  const { rows } = await tx.query<{ id: string; user_ids: string[] }>(
    `select m.id, array(select user_id from participants p where p.meeting_id = m.id order by p.position) as user_ids
     from meetings m where m.series_id = $1 and ${RECENT}
       and (exists (select from participants g where g.meeting_id = m.id and g.is_guest)
            or (select count(*) from participants c where c.meeting_id = m.id) <> $2)`,
    [id, participant_ids.length],
  );
  return rows.map(({ id: meetingId, user_ids }) => [meetingId, { user_ids, answers: {} }]);
}

async function listOwnAnswers(tx: Queryable, { id, organizer_id }: SeriesRow, usual: SeriesAnswers) {
  const { rows } = await tx.query<{ id: string; user_id: string; response: Response }>(
    `select p.meeting_id as id, p.user_id, p.response
     from meetings m join participants p on p.meeting_id = m.id
     left join unnest($2::text[], $3::text[]) as s (user_id, usual) on s.user_id = p.user_id
     where m.series_id = $1 and ${RECENT} and p.user_id <> $4 and p.response <> coalesce(s.usual, 'pending')`,
    [id, [...usual.keys()], [...usual.values()], organizer_id],
  );
  return rows;
}
