import { migrate } from '@atrium/service-kit/postgres/migrate';
import pg from 'pg';
import { median } from '../figures.ts';

// `node tests/load/meetings/measure-queries.ts postgres://…/empty_database` compares previous and current queries:
// those of an RSVP to a series of 260 occurrences with 400 participants under its lock, and administrators' lists among
// 240,000 meetings.

const [url] = process.argv.slice(2);
if (!url) throw new Error('Missing database. Run with the URL of an empty database.');
const RUNS = 7;
const SERIES = 'a'.repeat(24);
const ME = `lpad(to_hex(2), 24, '0')`;

await migrate(url, new URL('../../../services/meetings/migrations/', import.meta.url));
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query(`
  insert into series (id, calendar_id, frequency, first_start, duration_ms, timezone, complete, title, description, type, location, meeting_link, agenda, organizer_id, participant_ids)
  select '${SERIES}', '${SERIES}', 'weekly', now(), 3600000, 'UTC', true, 'Weekly', '', 'other', '', '', '', ${ME},
         (select array_agg(lpad(to_hex(n), 24, '0')) from generate_series(1, 400) n);
  insert into meetings (id, series_id, original_start, title, description, type, starts_at, ends_at, timezone, location, meeting_link, agenda, organizer_id)
  select 'b' || lpad(to_hex(n), 23, '0'), '${SERIES}', at, 'Weekly', '', 'other', at, at + interval '1 hour', 'UTC', '', '', '', ${ME}
  from (select n, now() + n * interval '1 day' as at from generate_series(1, 260) n) d;
  insert into meetings (id, title, description, type, starts_at, ends_at, timezone, location, meeting_link, agenda, organizer_id)
  select 'c' || lpad(to_hex(n), 23, '0'), 'One', '', 'other', at, at + interval '1 hour', 'UTC', '', '', '', ${ME}
  from (select n, now() + (n % 1000 - 900) * interval '1 day' + (n % 24) * interval '1 hour' as at from generate_series(1, 240000) n) d;
  insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
  select m.id, lpad(to_hex(p), 24, '0'), p, case when (p * 7) % 3 = 0 then 'accepted' else 'pending' end, m.starts_at, m.ends_at
  from meetings m cross join generate_series(1, 400) p where m.series_id is not null;
  analyze;`);

async function measure(name: string, previousSql: string, currentSql: string): Promise<void> {
  const time = async (sql: string) => {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const startedAt = performance.now();
      await client.query(sql);
      times.push(performance.now() - startedAt);
    }
    return median(times);
  };
  const previousMs = await time(previousSql);
  const currentMs = await time(currentSql);
  console.log(
    `${name}: ${previousMs.toFixed(1)} ms before, ${currentMs.toFixed(1)} ms now, ${(previousMs / currentMs).toFixed(0)} times`,
  );
}

const UPCOMING_IN_SERIES = `m.series_id = '${SERIES}' and m.ends_at > now()`;
await measure(
  'an RSVP to all occurrences, read under the lock',
  `select p.meeting_id, count(*), count(s.user_id), json_object_agg(p.user_id, p.response)
     filter (where p.response <> 'pending') from meetings m join participants p on p.meeting_id = m.id
   left join (select unnest(participant_ids) as user_id from series) s on s.user_id = p.user_id
   where m.series_id = '${SERIES}' group by p.meeting_id`,
  `select m.id from meetings m join participants p on p.meeting_id = m.id and p.user_id = ${ME} where ${UPCOMING_IN_SERIES} order by m.original_start`,
);
const page = (margin: string) =>
  `select m.id from meetings m where m.ends_at > now() and m.starts_at > now() - ${margin} order by m.starts_at, m.id limit 10`;
const count = (margin: string) =>
  `select count(*) from meetings m where m.ends_at > now() and m.starts_at > now() - ${margin}`;
await measure('first page, with a meeting of 100 years', page(`interval '100 years'`), page(`interval '24 hours'`));
await measure(
  'count of upcoming meetings, with a meeting of 100 years',
  count(`interval '100 years'`),
  count(`interval '24 hours'`),
);
await client.end();
