/** Selects a time with the precision of PostgreSQL, which a `Date` does not have. */
export const toMicroseconds = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint`;

export const fromMicroseconds = (microseconds: string) =>
  `('epoch'::timestamptz + ${microseconds}::bigint * interval '1 microsecond')`;
