import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { closedCondition, type Details, roomNameColumn } from './meeting-repository.ts';
import type { RsvpStatus } from './participant-repository.ts';
import type { SeriesRow } from './series-repository.ts';

type OccurrenceRow = Pick<Details, 'title' | 'description' | 'agenda' | 'location' | 'meeting_link'> & {
  id: string;
  original_start: Date;
  starts_at: Date;
  ends_at: Date;
  version: number;
  timezone: string;
  is_past: boolean;
  room_name: string | null;
};

type OwnParticipants = {
  /** Null if equal to those of the series, as in most cases: a list may have hundreds of ids. */
  user_ids: string[] | null;
  /** Omits the organizer, who has no RSVP. */
  rsvps: Record<string, RsvpStatus>;
};

export type Occurrence = OccurrenceRow & OwnParticipants;

/** Occurrences in the order of the rule, with the RSVPs to the whole series. */
export type Occurrences = { occurrences: Occurrence[]; seriesRsvps: SeriesRsvps };

/** Reads only participants and RSVPs that differ from the series, which may have 100,000 participant rows. */
export async function readOccurrences(tx: Queryable, series: SeriesRow): Promise<Occurrences> {
  const seriesRsvps = await readSeriesRsvps(tx, series);
  const rows = await listOccurrenceRows(tx, series.id);
  const participants = await listOwnParticipants(tx, series, seriesRsvps);
  return { seriesRsvps, occurrences: rows.map((row) => ({ ...row, ...(participants.get(row.id) ?? SAME_AS_SERIES) })) };
}

/**
 * Reads occurrences after a change that kept all invitations, which are taken from the previous state `before`. Set
 * `rsvpReset` if the change reset all RSVPs.
 */
export async function rereadOccurrences(
  tx: Queryable,
  series: SeriesRow,
  { before, rsvpReset }: { before: Occurrences; rsvpReset: boolean },
): Promise<Occurrences> {
  const previous = new Map(before.occurrences.map(({ id, user_ids, rsvps }) => [id, { user_ids, rsvps }]));
  const getParticipants = (id: string): OwnParticipants => {
    const participants = previous.get(id) ?? SAME_AS_SERIES;
    return rsvpReset ? { ...participants, rsvps: {} } : participants;
  };
  const rows = await listOccurrenceRows(tx, series.id);
  return {
    seriesRsvps: rsvpReset ? new Map() : before.seriesRsvps,
    occurrences: rows.map((row) => ({ ...row, ...getParticipants(row.id) })),
  };
}

const SAME_AS_SERIES: OwnParticipants = { user_ids: null, rsvps: {} };

async function listOccurrenceRows(tx: Queryable, seriesId: string): Promise<OccurrenceRow[]> {
  const { rows } = await tx.query<OccurrenceRow>(
    `select m.id, m.original_start, m.starts_at, m.ends_at, m.version, m.timezone, m.ends_at <= now() or ${closedCondition('m')} as is_past,
            m.title, m.description, m.agenda, m.location, m.meeting_link, ${roomNameColumn('m')}
     from meetings m where m.series_id = $1 order by m.original_start`,
    [seriesId],
  );
  return rows;
}

/**
 * Lists participants by meeting id. Omits older occurrences, which are in no calendar update (see
 * `buildSeriesCalendar`).
 */
async function listOwnParticipants(
  tx: Queryable,
  series: SeriesRow,
  seriesRsvps: SeriesRsvps,
): Promise<Map<string, OwnParticipants>> {
  const participants = new Map(await listOwnInvitations(tx, series));
  for (const { id, user_id, response } of await listOwnRsvps(tx, series, seriesRsvps)) {
    const individual = participants.get(id) ?? { user_ids: null, rsvps: {} };
    individual.rsvps[user_id] = response;
    participants.set(id, individual);
  }
  return participants;
}

const RECENT = `m.ends_at > now() - interval '32 days'`;

async function listOwnInvitations(
  tx: Queryable,
  { id, participant_ids }: SeriesRow,
): Promise<[string, OwnParticipants][]> {
  const { rows } = await tx.query<{ id: string; user_ids: string[] }>(
    `select m.id, array(select user_id from participants p where p.meeting_id = m.id order by p.position) as user_ids
     from meetings m where m.series_id = $1 and ${RECENT}
       and (exists (select from participants g where g.meeting_id = m.id and g.is_guest)
            or (select count(*) from participants c where c.meeting_id = m.id) <> $2)`,
    [id, participant_ids.length],
  );
  return rows.map(({ id: meetingId, user_ids }) => [meetingId, { user_ids, rsvps: {} }]);
}

async function listOwnRsvps(tx: Queryable, { id, organizer_id }: SeriesRow, seriesRsvps: SeriesRsvps) {
  const { rows } = await tx.query<{ id: string; user_id: string; response: RsvpStatus }>(
    `select p.meeting_id as id, p.user_id, p.response
     from meetings m join participants p on p.meeting_id = m.id
     left join unnest($2::text[], $3::text[]) as s (user_id, series_response) on s.user_id = p.user_id
     where m.series_id = $1 and ${RECENT} and p.user_id <> $4 and p.response <> coalesce(s.series_response, 'pending')`,
    [id, [...seriesRsvps.keys()], [...seriesRsvps.values()], organizer_id],
  );
  return rows;
}

/** RSVPs to the whole series; other participants are pending or respond to single meetings. */
export type SeriesRsvps = ReadonlyMap<string, Exclude<RsvpStatus, 'pending'>>;

/** How many of the latest occurrences are compared, so that an RSVP to a single one does not count for the series. */
const SAMPLED_OCCURRENCES = 3;

/**
 * Reads each user's RSVP to most of the latest upcoming occurrences, which applies to occurrences added later. A time
 * change resets it.
 */
export async function readSeriesRsvps(
  tx: Queryable,
  { id, participant_ids, organizer_id }: Pick<SeriesRow, 'id' | 'participant_ids' | 'organizer_id'>,
): Promise<SeriesRsvps> {
  const { rows } = await tx.query<{ user_id: string; response: Exclude<RsvpStatus, 'pending'> }>(
    `with latest as materialized (
       select id from meetings where series_id = $1 and ends_at > now() order by original_start desc limit ${SAMPLED_OCCURRENCES}
     )
     select p.user_id, p.response from latest join participants p on p.meeting_id = latest.id
     where p.response <> 'pending' and p.user_id = any($2) and p.user_id <> $3
     group by p.user_id, p.response having count(*) * 2 > (select count(*) from latest)`,
    [id, participant_ids, organizer_id],
  );
  return new Map(rows.map(({ user_id, response }) => [user_id, response]));
}
