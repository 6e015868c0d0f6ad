import { AppError } from '../errors/app-error.ts';

/** A requested change: the version it is based on, and the current representation of the row. */
type Change = { version: number | undefined; what: string; present: () => unknown };

/**
 * Throws 409 `stale_version` with the current state if a change is based on another version of the row; without a
 * version it is accepted. `what` names the row for people: "this task".
 */
export function assertVersion(row: { version: number }, { version, what, present }: Change): void {
  if (version === undefined || version === row.version) return;
  const message = `Someone else has changed ${what} in the meantime`;
  throw new AppError('stale_version', message, { current: present() });
}
