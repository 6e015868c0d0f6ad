/**
 * How the collections of notifications are brought to the moment of the cut, as its store has no snapshots (docs/decisions/0031).
 *
 * - `by event`: its records are made once for an event, whose id their own begins with. They are read after the cut, and those of events
 *   that came after it are left out.
 * - `by version`: its records change with events. They are read before the cut; what comes again after a restore brings them there.
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
