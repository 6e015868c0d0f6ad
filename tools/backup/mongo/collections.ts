/**
 * How each collection of notifications is made consistent with the snapshot, because MongoDB has none (docs/decisions/0031).
 *
 * - `by event`: a record is created once for an event, and its id starts with the event id. Read after the snapshot; records of later events
 *   are left out.
 * - `by version`: records change with events. Read before the snapshot; events redelivered after a restore bring them up to date.
 */
export const COLLECTIONS: Readonly<Record<string, 'by event' | 'by version' | 'as it is'>> = {
  activities: 'by event',
  notifications: 'by event',
  mailings: 'by event',
  mails: 'by event',
  claims: 'by event',
  calendar_parts: 'by event',
  project_people: 'by version',
  restores: 'as it is',
};

export const isByVersion = (name: string): boolean => COLLECTIONS[name] === 'by version';
