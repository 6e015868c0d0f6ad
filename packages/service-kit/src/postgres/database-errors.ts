// Apart from postgres.ts, so that a process without a database need not load its driver to tell errors apart.

// 57014: a statement that took too long, as it does when the database is overloaded. 25006: it only reads, as one does that is a primary no
// more. 28, 3D000: it does not know us, or has no such database: somebody is changing that.
const DOWN = /^(08|28|53|57P0|57014|25006|3D000)/;
const SOCKET_DOWN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** True when an error means that the database is away or full rather than that a statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (DOWN.test(code) || SOCKET_DOWN.has(code)) return true;
  return (
    'message' in error &&
    /timeout exceeded when trying to connect|Connection terminated|Query read timeout/.test(String(error.message))
  );
}

const CONFLICT_CODES = new Set(['40001', '40P01']);

/** True when the database gave up one of several transactions that stood in each other's way: tried again, it may go through. */
export function isDatabaseConflict(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && CONFLICT_CODES.has(String(error.code));
}

const UNSTORABLE = new Set(['22021', '22P05']);

/** True for text that PostgreSQL cannot keep, such as one with a null character: a fault of whoever sent it. */
export function isUnstorableText(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && UNSTORABLE.has(String(error.code));
}
