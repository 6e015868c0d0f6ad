// Browsers import this module, so it has no schemas.

/**
 * Whether a list includes a change. `asOf` is a `pg_snapshot` of PostgreSQL as text, `xmin:xmax:xip,…`: transactions from
 * `xmax` on, and those in `xip`, were not finished when the list was read.
 */
export function isIncluded(asOf: string, transaction: string): boolean {
  const [, xmax = '0', inProgress = ''] = asOf.split(':');
  return BigInt(transaction) < BigInt(xmax) && !inProgress.split(',').includes(transaction);
}
