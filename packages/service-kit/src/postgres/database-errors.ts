// Separate from postgres.ts, so that a process without a database does not load the driver.

// 57014: statement timeout, as when the database is overloaded. 25006: read-only, as a former primary is. 28 and 3D000:
// unknown role or database, as during a change of credentials.
const UNAVAILABLE_CODES = /^(08|28|53|57P0|57014|25006|3D000)/;
const SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (UNAVAILABLE_CODES.test(code) || SOCKET_ERRORS.has(code)) return true;
  return (
    'message' in error &&
    /timeout exceeded when trying to connect|Connection terminated|Query read timeout/.test(String(error.message))
  );
}

const CONFLICT_CODES = new Set(['40001', '40P01']);

export function isDatabaseConflict(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && CONFLICT_CODES.has(String(error.code));
}

const UNSTORABLE_TEXT_CODES = new Set(['22021', '22P05']);

export function isUnstorableText(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && UNSTORABLE_TEXT_CODES.has(String(error.code))
  );
}

export function isStatementTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '57014';
}
