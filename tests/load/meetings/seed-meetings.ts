import { queryDatabase } from '@atrium/test-kit/query-database';

export type SeedMeetingsParams = {
  users: readonly string[];
  /** Ids of projects, which need not exist. */
  projects: readonly string[];
};

export const MEETINGS = 100_000;
/** Number of weekly series. Three in five meetings belong to one; the others are single. */
const SERIES = 2_000;
const MEETINGS_PER_SERIES = 30;
/** Number of days with meetings, half of them in the past. */
const DAYS = 360;

/** SQL for a start on a half hour of a working day. */
const startSql = (n: string) =>
  `date_trunc('day', now()) + ((${n} * 7919 % ${DAYS}) - ${DAYS / 2}) * interval '1 day' + (16 + ${n} * 31 % 20) * interval '30 minutes'`;
const durationSql = (n: string) => `(array[15, 30, 30, 60, 60, 60, 90, 120])[1 + ${n} % 8] * interval '1 minute'`;

/**
 * Seeds 100,000 meetings of a year for 2,000 users: single ones and weekly series, three of ten in a project, with
 * typical RSVPs. Each has two to twelve participants, and one in a thousand has two hundred. Uses set-based statements
 * and does the work of an autovacuum.
 */
export async function seedMeetings(database: string, { users, projects }: SeedMeetingsParams): Promise<void> {
  const run = (sql: string, values: unknown[] = []) => queryDatabase(database, sql, values);
  const commonValues = `'Talk ' || n, '', 'other', '', 'https://meet.example.org/b', ''`;
  const project = `case when n % 10 < 3 then ($2::text[])[1 + n % cardinality($2::text[])] end`;
  const organizer = '($1::text[])[1 + n * 13 % cardinality($1::text[])]';
  await run(
    `insert into series (id, calendar_id, title, description, type, location, meeting_link, agenda, project_id, organizer_id,
                         frequency, first_start, duration_ms, timezone, last_day, filled_until, complete, participant_ids)
     select 's' || n, 's' || n, ${commonValues}, ${project}, ${organizer}, 'weekly', ${startSql('n')}, extract(epoch from ${durationSql('n')}) * 1000,
            'UTC', to_char(${startSql('n')} + ${(MEETINGS_PER_SERIES - 1) * 7} * interval '1 day', 'YYYY-MM-DD'), now() + interval '1 year', true, '{}'
     from generate_series(1, ${SERIES}) n`,
    [users, projects],
  );
  const columns =
    'id, series_id, original_start, title, description, type, location, meeting_link, agenda, project_id, organizer_id, starts_at, ends_at, timezone';
  await run(
    `insert into meetings (${columns})
     select lpad(to_hex(n * 100 + turn), 24, '0'), 's' || n, at, ${commonValues}, ${project}, ${organizer}, at, at + ${durationSql('n')}, 'UTC'
     from generate_series(1, ${SERIES}) n cross join generate_series(0, ${MEETINGS_PER_SERIES - 1}) turn
     cross join lateral (select ${startSql('n')} + (turn * 7 - ${(MEETINGS_PER_SERIES * 7) / 2}) * interval '1 day' as at) placed`,
    [users, projects],
  );
  await run(
    `insert into meetings (${columns})
     select lpad(to_hex(n * 100), 24, '0'), null, null, ${commonValues}, ${project}, ${organizer}, ${startSql('n')}, ${startSql('n')} + ${durationSql('n')}, 'UTC'
     from generate_series(${SERIES + 1}, ${SERIES + MEETINGS - SERIES * MEETINGS_PER_SERIES}) n`,
    [users, projects],
  );
  // Computed from the series, so that its meetings have the same participants.
  await run(
    `insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
     select m.id, person, min(turn), case when min(turn) = 0 then 'accepted' else
              (array['accepted', 'accepted', 'accepted', 'pending', 'pending', 'declined', 'tentative'])[1 + (m.n + min(turn)) % 7] end,
            m.starts_at, m.ends_at
     from (select m.*, ('x' || right(id, 12))::bit(48)::bigint / 100 as n from meetings m) m
     cross join lateral generate_series(0, case when m.n % 1000 = 0 then 200 else 2 + m.n % 11 end) turn
     cross join lateral (select ($1::text[])[1 + (m.n * 13 + turn * turn * 37) % cardinality($1::text[])] as person) chosen
     group by m.id, m.n, m.starts_at, m.ends_at, person`,
    [users],
  );
  // Without statistics, the next statement takes many minutes.
  await run('analyze');
  await run(
    `update series s set participant_ids = p.ids
     from (select m.series_id, array_agg(p.user_id order by p.position) as ids
           from (select distinct on (series_id) id, series_id from meetings where series_id is not null order by series_id, original_start) m
           join participants p on p.meeting_id = m.id group by m.series_id) p
     where p.series_id = s.id`,
  );
  for (const table of ['series', 'meetings', 'participants']) await run(`vacuum analyze ${table}`);
}
