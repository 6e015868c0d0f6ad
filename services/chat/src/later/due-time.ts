import { INVALID_DUE_TIME } from '@atrium/proto-events/http/chat/scheduled';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** Throws `validation_failed` for a time that is too soon or too far away by the database's clock, as the due time is. */
export async function assertDueTime(db: Queryable, time: string): Promise<void> {
  const { rows } = await db.query<{ is_valid: boolean }>(
    `select $1::timestamptz between clock_timestamp() + interval '1 minute' and clock_timestamp() + interval '1 year'
       as is_valid`,
    [time],
  );
  if (!rows[0]?.is_valid) throw new AppError('validation_failed', INVALID_DUE_TIME, { messages: [INVALID_DUE_TIME] });
}
