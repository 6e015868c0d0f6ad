import { writeCalendar } from '@atrium/calendar/write-calendar';
import type { EventOf } from '@atrium/proto-events/event';
import type { meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Deps } from '../deps.ts';
import { type MeetingContent, NOT_REPEATED } from '../mail/mail-content.ts';
import { findPeople, fullName, toOrganizer, toRecipient } from '../people.ts';
import type { Answers } from './answers.ts';
import { meetingTopic } from './calendar-news.ts';

export type MeetingFacts = Omit<EventOf<typeof meetingScheduled>['data'], 'calendar' | 'calendarBefore'>;

type MeetingMail = {
  event: Pick<EventOf<typeof meetingScheduled>, 'id' | 'requestId' | 'occurredAt'>;
  facts: MeetingFacts;
  news: MeetingContent['news'];
  changed?: string[];
  reinvited?: boolean;
  ended?: MeetingContent['ended'];
  /** Who receives it. */
  toIds: readonly string[];
  /** Who is invited, as every recipient's calendar shows it. */
  attendeeIds: readonly string[];
  answers: Answers;
  /** Tells mails apart where one event brings the same news of several meetings. */
  part?: string;
};

/** Mails news of a meeting together with what the recipients' calendars need. */
export async function queueMeetingMail(deps: Deps, mail: MeetingMail): Promise<void> {
  const { event, facts, news, changed = [], reinvited = false, ended, part } = mail;
  const recipients = await findPeople(deps.directory, mail.toIds);
  const organizer = deps.directory.user(facts.organizerId);
  if (recipients.length === 0 || !organizer) return;
  await deps.queueMails({
    id: [event.id, news, ...(part === undefined ? [] : [part])].join(':'),
    kind: 'meeting',
    about: facts.meetingId,
    requestId: event.requestId,
    occurredAt: event.occurredAt,
    topic: meetingTopic({ calendarId: facts.calendarId, recurrenceId: facts.recurrenceId, news }),
    content: {
      template: 'meeting',
      news,
      organizer: fullName(organizer),
      meeting: {
        ...facts,
        ...(facts.recurrence ?? NOT_REPEATED),
      },
      changed,
      reinvited,
      ...(ended && { ended }),
    },
    replyTo: organizer.email,
    calendar: await calendarPart(deps, mail, organizer),
    recipients: recipients.map(toRecipient),
  });
}

async function calendarPart(deps: Deps, { event, facts, news, attendeeIds, answers }: MeetingMail, by: DirectoryUser) {
  const method = news === 'cancelled' || news === 'removed' ? 'CANCEL' : 'REQUEST';
  const attendees = await findPeople(deps.directory, attendeeIds);
  const told = attendees.map((person) => ({
    name: fullName(person),
    address: person.email,
    status: answers.get(person._id) ?? ('pending' as const),
  }));
  const events = [{ ...facts, ...toOrganizer(by, deps.mailAddress), attendees: told }];
  return { method, text: writeCalendar({ method, stamp: event.occurredAt, events }) } as const;
}
