import { meetingCancelled, meetingDue, meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  buildMeeting,
  buildProject,
  buildUniqueUser,
  cancelledEvent,
  type People,
  scheduledEvent,
  startNotifications,
  updatedEvent,
} from './factories.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

beforeEach(() => {
  people = {
    ...people,
    manager: buildUniqueUser({ role: 'project_manager' }),
    member: buildUniqueUser(),
    other: buildUniqueUser(),
  };
  service.addToDirectory(...Object.values(people));
});

type Person = People[keyof People];
type Listed = { data: { kind: string; subject: { id: string } }[] };

/** Emails and notification kinds of each user, once they have received the project email that ends the test. */
async function listReceived(...persons: Person[]) {
  const last = buildProject(people, { name: 'Last', memberIds: persons.map(({ _id }) => _id) });
  await service.deliver(projectCreated, last, 1, people.admin._id);
  return Promise.all(
    persons.map(async (person) => {
      const { body } = await service.call('GET', '/notifications', { as: person });
      const isLast = async () => (await emailsTo(person.email)).some(({ subject }) => subject.endsWith('Last'));
      await waitFor(isLast, { what: 'the last email' });
      const mails = (await emailsTo(person.email)).map(({ subject }) => subject);
      const kinds = (body as Listed).data
        .filter(({ subject }) => subject.id !== last.projectId)
        .map(({ kind }) => kind);
      return { mails: mails.filter((subject) => !subject.endsWith('Last')), kinds };
    }),
  );
}

const NOTHING = { mails: [], kinds: [] };
const CANCELLED = { mails: ['Cancelled: Weekly planning'], kinds: ['meetings.meeting.cancelled'] };

describe('a meeting event that arrives after the cancellation', () => {
  it('invites no one', async () => {
    const meeting = buildMeeting(people);
    await service.deliver(
      meetingCancelled,
      cancelledEvent({ ...meeting, sequence: 1, version: 2 }),
      1,
      people.admin._id,
    );
    await service.deliver(meetingScheduled, scheduledEvent(meeting), 2, people.admin._id);
    expect(await listReceived(people.member, people.manager)).toEqual([CANCELLED, { ...CANCELLED, mails: [] }]);
  });

  it('invites no one to a series that was cancelled under another occurrence', async () => {
    const series = { seriesId: newId(), recurrence: { frequency: 'weekly' as const, until: null } };
    const calendarId = series.seriesId;
    const meeting = buildMeeting(people, { ...series, calendarId });
    const gone = { ...meeting, meetingId: newId(), sequence: 1, version: 2 };
    await service.deliver(meetingCancelled, cancelledEvent(gone), 1, people.admin._id);
    await service.deliver(meetingScheduled, scheduledEvent(meeting), 2, people.admin._id);
    expect(await listReceived(people.member)).toEqual([CANCELLED]);
  });

  it('invites to a series that continues without its first occurrence', async () => {
    const series = { seriesId: newId(), recurrence: { frequency: 'weekly' as const, until: null } };
    const meeting = buildMeeting(people, { ...series, calendarId: series.seriesId });
    const alone = { ...meeting, recurrence: null, recurrenceId: meeting.startTime, sequence: 1, version: 2 };
    await service.deliver(meetingCancelled, cancelledEvent(alone), 1, people.admin._id);
    await service.deliver(meetingScheduled, scheduledEvent(meeting), 1, people.admin._id);
    // Delayed, as the second email about this calendar.
    await waitForEmail(people.member.email, 2);
    const [received] = await listReceived(people.member);
    expect(received?.mails).toContain('Invitation: Weekly planning');
    expect(received?.kinds).toContain('meetings.meeting.scheduled');
  });

  it('cancels for removed participants and sends nothing else', async () => {
    const meeting = buildMeeting(people, { participantIds: [people.member._id] });
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
    const cancellationOnly = { mails: ['Cancelled: Weekly planning'], kinds: ['meetings.participant.removed'] };
    expect(await listReceived(people.other, people.member)).toEqual([cancellationOnly, CANCELLED]);
    const { body } = await service.call('GET', '/notifications', { as: people.admin });
    expect((body as Listed).data.filter(({ subject }) => subject.id === meeting.meetingId)).toEqual([]);
  });

  it('sends no reminder', async () => {
    const meeting = buildMeeting(people);
    await service.deliver(
      meetingCancelled,
      cancelledEvent({ ...meeting, sequence: 1, version: 2 }),
      1,
      people.admin._id,
    );
    await service.deliver(meetingDue, { ...meeting, personIds: [people.member._id] }, 1);
    expect(await listReceived(people.member)).toEqual([CANCELLED]);
  });
});

describe('a project event that arrives late', () => {
  const updated = ({ createdBy: _, ...facts }: ReturnType<typeof buildProject>) => ({
    ...facts,
    progress: 0,
    changed: ['members'],
  });

  it('notifies no one about a deleted project', async () => {
    const project = buildProject(people);
    const { projectId, name } = project;
    await service.deliver(projectDeleted, { projectId, name }, 1, people.admin._id);
    await service.deliver(projectCreated, project, 2, people.admin._id);
    const change = { ...updated(project), memberIds: [people.member._id, people.other._id], version: 2 };
    await service.deliver(projectUpdated, change, 2, people.admin._id);
    expect(await listReceived(people.member, people.other)).toEqual([NOTHING, NOTHING]);
  });

  it('notifies only current members', async () => {
    const project = buildProject(people, { memberIds: [people.member._id, people.other._id] });
    const change = { ...updated(project), memberIds: [people.other._id], version: 2 };
    await service.deliver(projectUpdated, change, 1, people.admin._id);
    await service.deliver(projectCreated, project, 2, people.admin._id);
    const welcome = { mails: ['You were added to Customer portal'], kinds: ['projects.member.added'] };
    expect(await listReceived(people.member, people.other)).toEqual([NOTHING, welcome]);
  });
});
