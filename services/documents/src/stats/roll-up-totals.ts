import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';

const ROLL_UP_INTERVAL_MS = 15_000;
const ROLL_UP_LOCK = 0x73756d73;

/** Adds pending changes to the sums periodically, because reading a sum also reads the changes. */
export const startTotalsRollUp = (db: Db, log: Logger): PollingLoop =>
  startPollingLoop({
    what: 'document totals',
    intervalMs: ROLL_UP_INTERVAL_MS,
    log,
    async round() {
      await rollUpTotals(db);
      return false;
    },
  });

/** On one pod at a time; others skip. */
export const rollUpTotals = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [ROLL_UP_LOCK]);
    if (!rows[0]?.mine) return;
    await tx.query(
      `with changes as (delete from document_sum_changes returning scope, tag, hour, documents, bytes),
         past as (
           delete from document_sums where hour > '-infinity' and hour < now() - interval '8 days'
           returning scope, tag, hour, documents, bytes
         )
       insert into document_sums (scope, tag, hour, documents, bytes)
       select scope, tag, sum_hour(hour), sum(documents), sum(bytes)
       from (select * from changes union all select * from past) as every_one group by 1, 2, 3
       on conflict (scope, tag, hour) do update
         set documents = document_sums.documents + excluded.documents, bytes = document_sums.bytes + excluded.bytes`,
    );
    await tx.query('delete from document_sums where documents = 0 and bytes = 0');
  });
