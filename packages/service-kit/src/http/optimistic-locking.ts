import { AppError } from './app-error.ts';

/** The change that somebody asks for: the version on which they made it, and how the row is shown to them now. */
type Change = { version: number | undefined; what: string; present: () => unknown };

/**
 * Refuses a change with 409 `stale_version` and the present state, where it was made on another version than the row has; one
 * without a version is taken as it is (decisions, section 4). `what` is what the row is to people: "this task".
 */
export function assertVersion(row: { version: number }, { version, what, present }: Change): void {
  if (version === undefined || version === row.version) return;
  const message = `Someone else has changed ${what} in the meantime`;
  throw new AppError('stale_version', message, { current: present() });
}
