import type { EventOf } from '@atrium/proto-events/event';
import { type meetingCancelled, meetingScheduled, type meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { Deps } from '../deps.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { forgetAnswers, readAnswers } from './answers.ts';
import { type EndedFor, endedOf, KIND } from './calendar-news.ts';
import { type MeetingFacts, queueMeetingMail } from './meeting-mail.ts';

/** What events of earlier releases are made into, which tell what changed and not how the calendar is then. */

/** What changes nothing in anybody's calendar. */
const SILENT_FIELDS = new Set(['notes', 'summary', 'participants', 'type', 'project']);

/** Whether a change of these fields is one that everybody who stays is told of. */
export const isTold = (changed: readonly string[]): boolean => changed.some((field) => !SILENT_FIELDS.has(field));

export const aboutMeeting = ({ meetingId, title }: { meetingId: string; title: string }) => ({
  resource: 'meeting',
  id: meetingId,
  title,
});

/** Those who get mail: everyone invited but the organiser, whose own calendar program would refuse an invitation of their own. */
const guests = ({ participantIds, organizerId }: MeetingFacts) => participantIds.filter((id) => id !== organizerId);

const everyone = (facts: MeetingFacts) => [...facts.participantIds, facts.organizerId];

/** Invites everyone. */
export async function inviteEverybody(deps: Deps, event: EventOf<typeof meetingScheduled>): Promise<void> {
  const { calendar: _, ...facts } = event.data;
  await notifyPeople(deps, { event, kind: event.type, subject: aboutMeeting(facts), personIds: everyone(facts) });
  const toIds = guests(facts);
  await queueMeetingMail(deps, { event, facts, news: 'invited', toIds, attendeeIds: toIds, answers: new Map() });
}

/** Invites who is new, takes it out of the calendars of who is not wanted any more, and tells the others what is different. */
export async function tellOfUpdate(
  deps: Deps,
  given: EventOf<typeof meetingUpdated>,
  { onlyFarewells = false }: { onlyFarewells?: boolean } = {},
): Promise<void> {
  const event = onlyFarewells ? withoutInvitations(given) : given;
  const { removedIds, addedIds, changed, reinvited, before, endedFor, ...facts } = event.data;
  const known = { ...facts, ...(before ?? withheld(changed)) };
  if (reinvited) await forgetAnswers(deps.store, facts.meetingId, facts.version);
  const answers = await readAnswers(deps.store, facts.meetingId);
  const mail = { event, facts, changed, reinvited, attendeeIds: guests(facts), answers };
  await queueMeetingMail(deps, { ...mail, facts: known, news: 'removed', toIds: removedIds, attendeeIds: removedIds });
  await queueMeetingMail(deps, { ...mail, news: 'invited', toIds: addedIds });
  const told = isTold(changed) && !onlyFarewells;
  const kept = guests(facts).filter((id) => !addedIds.includes(id));
  const { ending, staying } = sides(kept, endedFor);
  if (told) await queueMeetingMail(deps, { ...mail, news: 'updated', toIds: staying });
  if (endedFor) {
    const { from, as } = endedFor;
    await queueMeetingMail(deps, { ...mail, news: 'updated', ended: { from, as }, part: as, toIds: ending });
  }
  await notifyOfChange(deps, event, { known, keptIds: told ? [...kept, facts.organizerId] : [] });
}

const withoutInvitations = (event: EventOf<typeof meetingUpdated>): EventOf<typeof meetingUpdated> => ({
  ...event,
  data: { ...event.data, addedIds: [], endedFor: undefined },
});

/** For whom a series ends, and for whom its dates go on. */
const sides = (ids: readonly string[], endedFor: EndedFor) => ({
  ending: ids.filter((id) => endedOf(endedFor, id)),
  staying: ids.filter((id) => !endedOf(endedFor, id)),
});

/** Of an event that does not say what was known before: what changed is for those alone who are still invited. */
function withheld(changed: readonly string[]): Partial<MeetingFacts> {
  const words = { title: 'A meeting', description: '', agenda: '', location: '', meetingLink: '' };
  return Object.fromEntries(Object.entries(words).filter(([field]) => changed.includes(field)));
}

async function notifyOfChange(
  deps: Deps,
  event: EventOf<typeof meetingUpdated>,
  { known, keptIds }: { known: MeetingFacts; keptIds: string[] },
): Promise<void> {
  const news = { event, subject: aboutMeeting(event.data) };
  const { removedIds, addedIds, endedFor } = event.data;
  const { ending, staying } = sides(keptIds, endedFor);
  const farewell = { event, subject: aboutMeeting(known), kind: KIND.removed };
  await notifyPeople(deps, { ...farewell, personIds: removedIds });
  await notifyPeople(deps, { ...news, kind: meetingScheduled.type, personIds: addedIds });
  await notifyPeople(deps, { ...news, kind: event.type, personIds: staying });
  if (endedFor) await notifyPeople(deps, { ...news, kind: KIND[endedFor.as], personIds: ending, from: endedFor.from });
}

/** Takes the meeting out of everybody's calendar. */
export async function tellOfCancelled(deps: Deps, event: EventOf<typeof meetingCancelled>): Promise<void> {
  const { isAlone = false, ...facts } = event.data;
  const personIds = isAlone ? guests(facts) : everyone(facts);
  await notifyPeople(deps, { event, kind: event.type, subject: aboutMeeting(facts), personIds });
  const answers = await readAnswers(deps.store, facts.meetingId);
  const toIds = guests(facts);
  await queueMeetingMail(deps, { event, facts, news: 'cancelled', toIds, attendeeIds: toIds, answers });
}
