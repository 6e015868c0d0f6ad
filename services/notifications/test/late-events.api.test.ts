import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import { meetingCancelled, meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  aMeeting,
  buildProject,
  cancelledEvent,
  type People,
  scheduledEvent,
  someone,
  startNotifications,
  updatedEvent,
} from './factories.ts';
import { mailsTo, mailTo } from './mailbox.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

/** Nobody has been told anything yet. */
beforeEach(() => {
  people = { ...people, manager: someone({ role: 'project_manager' }), member: someone(), other: someone() };
  service.know(...Object.values(people));
});

type Person = People[keyof People];
type Listed = { data: { kind: string; subject: { id: string } }[] };

/** What people know once they have heard of the project that ends a test, by mail and in the app. */
async function toldTo(...persons: Person[]) {
  const last = buildProject(people, { name: 'Last', memberIds: persons.map(({ _id }) => _id) });
  await service.deliver(projectCreated, last, 1, people.admin._id);
  return Promise.all(
    persons.map(async (person) => {
      const { body } = await service.call('GET', '/notifications', { as: person });
      const isLast = async () => (await mailsTo(person.email)).some(({ subject }) => subject.endsWith('Last'));
      await waitFor(isLast, { what: 'the last mail' });
      const mails = (await mailsTo(person.email)).map(({ subject }) => subject);
      const kinds = (body as Listed).data
        .filter(({ subject }) => subject.id !== last.projectId)
        .map(({ kind }) => kind);
      return { mails: mails.filter((subject) => !subject.endsWith('Last')), kinds };
    }),
  );
}

const NOTHING = { mails: [], kinds: [] };
const CANCELLED = { mails: ['Cancelled: Weekly planning'], kinds: ['meetings.meeting.cancelled'] };

describe('an event of a meeting that is heard of after the meeting was cancelled', () => {
  it('invites nobody any more', async () => {
    const meeting = aMeeting(people);
    await service.deliver(
      meetingCancelled,
      cancelledEvent({ ...meeting, sequence: 1, version: 2 }),
      1,
      people.admin._id,
    );
    await service.deliver(meetingScheduled, scheduledEvent(meeting), 2, people.admin._id);
    expect(await toldTo(people.member, people.manager)).toEqual([CANCELLED, { ...CANCELLED, mails: [] }]);
  });

  it('invites nobody to a series, of which a cancellation tells under another of its meetings', async () => {
    const series = { seriesId: newId(), recurrence: { frequency: 'weekly' as const, until: null } };
    const calendarId = series.seriesId;
    const meeting = aMeeting(people, { ...series, calendarId });
    const gone = { ...meeting, meetingId: newId(), sequence: 1, version: 2 };
    await service.deliver(meetingCancelled, cancelledEvent(gone), 1, people.admin._id);
    await service.deliver(meetingScheduled, scheduledEvent(meeting), 2, people.admin._id);
    expect(await toldTo(people.member)).toEqual([CANCELLED]);
  });

  it('invites to a series that goes on without its first meeting', async () => {
    const series = { seriesId: newId(), recurrence: { frequency: 'weekly' as const, until: null } };
    const meeting = aMeeting(people, { ...series, calendarId: series.seriesId });
    const alone = { ...meeting, recurrence: null, recurrenceId: meeting.startTime, sequence: 1, version: 2 };
    await service.deliver(meetingCancelled, cancelledEvent(alone), 1, people.admin._id);
    await service.deliver(meetingScheduled, scheduledEvent(meeting), 1, people.admin._id);
    // It waits a moment, since it is the second email about this calendar.
    await mailTo(people.member.email, 2);
    const [told] = await toldTo(people.member);
    expect(told?.mails).toContain('Invitation: Weekly planning');
    expect(told?.kinds).toContain('meetings.meeting.scheduled');
  });

  it('says goodbye to whom a change took out before, and no more', async () => {
    const meeting = aMeeting(people, { participantIds: [people.member._id] });
    const [before, after] = [
      [people.other._id, people.member._id, people.manager._id],
      [people.member._id, people.manager._id, people.admin._id],
    ];
    const change = {
      ...{ ...meeting, participantIds: after, sequence: 1, version: 2, rsvpReset: false },
      ...{ removedIds: [people.other._id], addedIds: [people.admin._id], changed: ['participants', 'location'] },
    };
    await service.deliver(
      meetingCancelled,
      cancelledEvent({ ...meeting, sequence: 2, version: 3 }),
      1,
      people.admin._id,
    );
    await service.deliver(meetingUpdated, updatedEvent({ ...meeting, participantIds: before }, change), 2, newId());
    const goodbye = { mails: ['Cancelled: Weekly planning'], kinds: ['meetings.participant.removed'] };
    expect(await toldTo(people.other, people.member)).toEqual([goodbye, CANCELLED]);
    const { body } = await service.call('GET', '/notifications', { as: people.admin });
    expect((body as Listed).data.filter(({ subject }) => subject.id === meeting.meetingId)).toEqual([]);
  });

  it('reminds nobody of it', async () => {
    const meeting = aMeeting(people);
    await service.deliver(
      meetingCancelled,
      cancelledEvent({ ...meeting, sequence: 1, version: 2 }),
      1,
      people.admin._id,
    );
    await service.deliver(meetingDue, { ...meeting, personIds: [people.member._id] }, 1);
    expect(await toldTo(people.member)).toEqual([CANCELLED]);
  });
});

describe('an event of a project that is heard of late', () => {
  const updated = ({ createdBy: _, ...facts }: ReturnType<typeof buildProject>) => ({
    ...facts,
    progress: 0,
    changed: ['members'],
  });

  it('tells nobody of one that was deleted', async () => {
    const project = buildProject(people);
    const { projectId, name } = project;
    await service.deliver(projectDeleted, { projectId, name }, 1, people.admin._id);
    await service.deliver(projectCreated, project, 2, people.admin._id);
    const change = { ...updated(project), memberIds: [people.member._id, people.other._id], version: 2 };
    await service.deliver(projectUpdated, change, 2, people.admin._id);
    expect(await toldTo(people.member, people.other)).toEqual([NOTHING, NOTHING]);
  });

  it('tells those who are still in it', async () => {
    const project = buildProject(people, { memberIds: [people.member._id, people.other._id] });
    const change = { ...updated(project), memberIds: [people.other._id], version: 2 };
    await service.deliver(projectUpdated, change, 1, people.admin._id);
    await service.deliver(projectCreated, project, 2, people.admin._id);
    const welcome = { mails: ['You were added to Customer portal'], kinds: ['projects.member.added'] };
    expect(await toldTo(people.member, people.other)).toEqual([NOTHING, welcome]);
  });
});
