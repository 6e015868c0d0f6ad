// Browsers import this module, so it has no schemas.

import type { Tag } from '../change-tags.ts';
import {
  computed,
  exceptFields,
  type IsAffected,
  type ResponseDefinitions,
  type ResponseRequest,
  UNAFFECTED,
} from './response.ts';

/*
 * Meetings are not patched in lists: their events go to participants alone, who request the few responses that they show.
 * A change of a series affects many meetings, and names one.
 */

const NOTES_AND_AGENDA = ['notes', 'agendaItems'] as const;
const RECORD_FIELDS = [...NOTES_AND_AGENDA, 'summary', 'decisions'] as const;

const seen = (): Tag[] => ['meetings', 'room-names', 'people'];
const own = (): Tag[] => ['own-meetings', 'room-names', 'people'];
const calendar = ({ query }: ResponseRequest) => (query.get('whose') === 'all' ? seen() : own());

const affectsTimes = exceptFields(...RECORD_FIELDS, 'closing');
const affectsDetails = exceptFields(...RECORD_FIELDS);

type Content = { data?: readonly { _id: string; notes?: string; summary?: string }[] };

/** Lists show only whether there are notes or a summary. */
const affectsList: IsAffected = (change, data) => {
  if (affectsDetails(change, data)) return true;
  const item = (data as Content | undefined)?.data?.find(({ _id }) => _id === change.id);
  return (
    item !== undefined &&
    ['notes' as const, 'summary' as const].some((field) => change.changed?.includes(field) && !item[field])
  );
};

export const MEETING_RESPONSES: ResponseDefinitions = {
  '/meetings': computed(seen, affectsList),
  '/meetings/project/:id': computed(seen, affectsList),
  '/meetings/upcoming': computed(own, affectsDetails),
  '/meetings/unanswered': computed(own, affectsDetails),
  '/meetings/calendar': computed(calendar, affectsDetails),
  '/meetings/stats': computed(() => ['meetings'], affectsTimes),
  '/meetings/busy': computed(seen, affectsTimes),
  '/meetings/free-times': computed(seen, affectsTimes),
  '/meetings/rooms': computed(() => ['rooms', 'departments']),
  '/meetings/decisions': computed(seen, exceptFields(...NOTES_AND_AGENDA, 'summary')),
  '/meetings/:id': computed(seen),
  // Users who join the project see where its summary was posted.
  '/meetings/:id/closing': computed(() => [...seen(), 'own-projects'], exceptFields(...NOTES_AND_AGENDA)),
  // The browser that creates a feed shows it.
  '/meetings/feed': UNAFFECTED,
};
