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
  type People,
  startNotifications,
  toCancelledEvent,
  toScheduledEvent,
  toUpdatedEvent,
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
async function listReceived(...users: Person[]) {
  const lastProject = buildProject(people, { name: 'Last', memberIds: users.map(({ _id }) => _id) });
  await service.deliver(projectCreated, lastProject, 1, people.admin._id);
  return Promise.all(
    users.map(async (person) => {
      const { body } = await service.call('GET', '/notifications', { as: person });
      const isLast = async () => (await emailsTo(person.email)).some(({ subject }) => subject.endsWith('Last'));
      await waitFor(isLast, { description: 'the last email' });
      const emailSubjects = (await emailsTo(person.email)).map(({ subject }) => subject);
      const kinds = (body as Listed).data
        .filter(({ subject }) => subject.id !== lastProject.projectId)
        .map(({ kind }) => kind);
      return { subjects: emailSubjects.filter((subject) => !subject.endsWith('Last')), kinds };
    }),
  );
}

const NOTHING = { subjects: [], kinds: [] };
const CANCELLATION = { subjects: ['Cancelled: Weekly planning'], kinds: ['meetings.meeting.cancelled'] };

describe('a meeting event that arrives after the cancellation', () => {
  it('invites no one', async () => {
    const meeting = buildMeeting(people);
    await service.deliver(
      meetingCancelled,
      toCancelledEvent({ ...meeting, sequence: 1, version: 2 }),
      1,
      people.admin._id,
    );
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 2, people.admin._id);
    expect(await listReceived(people.member, people.manager)).toEqual([
      CANCELLATION,
      { ...CANCELLATION, subjects: [] },
    ]);
  });

  it('invites no one to a series whose cancellation named a different occurrence', async () => {
    const series = { seriesId: newId(), recurrence: { frequency: 'weekly' as const, until: null } };
    const calendarId = series.seriesId;
    const meeting = buildMeeting(people, { ...series, calendarId });
    const canceledOccurrence = { ...meeting, meetingId: newId(), sequence: 1, version: 2 };
    await service.deliver(meetingCancelled, toCancelledEvent(canceledOccurrence), 1, people.admin._id);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 2, people.admin._id);
    expect(await listReceived(people.member)).toEqual([CANCELLATION]);
  });

  it('invites to a series that continues without its first occurrence', async () => {
    const series = { seriesId: newId(), recurrence: { frequency: 'weekly' as const, until: null } };
    const meeting = buildMeeting(people, { ...series, calendarId: series.seriesId });
    const singleOccurrence = { ...meeting, recurrence: null, recurrenceId: meeting.startTime, sequence: 1, version: 2 };
    await service.deliver(meetingCancelled, toCancelledEvent(singleOccurrence), 1, people.admin._id);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, people.admin._id);
    // The second email about a calendar is delayed.
    await waitForEmail(people.member.email, 2);
    const [receivedByMember] = await listReceived(people.member);
    expect(receivedByMember?.subjects).toContain('Invitation: Weekly planning');
    expect(receivedByMember?.kinds).toContain('meetings.meeting.scheduled');
  });

  it('sends removed participants their cancellation and nothing else', async () => {
    const meeting = buildMeeting(people, { participantIds: [people.member._id] });
    const idsBefore = [people.other._id, people.member._id, people.manager._id];
    const idsAfter = [people.member._id, people.manager._id, people.admin._id];
    const change = {
      ...meeting,
      participantIds: idsAfter,
      sequence: 1,
      version: 2,
      rsvpReset: false,
      removedIds: [people.other._id],
      addedIds: [people.admin._id],
      changed: ['participants', 'location'],
    };
    await service.deliver(
      meetingCancelled,
      toCancelledEvent({ ...meeting, sequence: 2, version: 3 }),
      1,
      people.admin._id,
    );
    await service.deliver(
      meetingUpdated,
      toUpdatedEvent({ ...meeting, participantIds: idsBefore }, change),
      2,
      newId(),
    );
    const cancellationOnly = { subjects: ['Cancelled: Weekly planning'], kinds: ['meetings.participant.removed'] };
    expect(await listReceived(people.other, people.member)).toEqual([cancellationOnly, CANCELLATION]);
    const { body } = await service.call('GET', '/notifications', { as: people.admin });
    expect((body as Listed).data.filter(({ subject }) => subject.id === meeting.meetingId)).toEqual([]);
  });

  it('sends no reminder', async () => {
    const meeting = buildMeeting(people);
    await service.deliver(
      meetingCancelled,
      toCancelledEvent({ ...meeting, sequence: 1, version: 2 }),
      1,
      people.admin._id,
    );
    await service.deliver(meetingDue, { ...meeting, personIds: [people.member._id] }, 1);
    expect(await listReceived(people.member)).toEqual([CANCELLATION]);
  });
});

describe('a project event that arrives late', () => {
  const toUpdate = ({ createdBy: _, ...fields }: ReturnType<typeof buildProject>) => ({
    ...fields,
    progress: 0,
    changed: ['members'],
  });

  it('notifies no one about a deleted project', async () => {
    const project = buildProject(people);
    const { projectId, name } = project;
    await service.deliver(projectDeleted, { projectId, name }, 1, people.admin._id);
    await service.deliver(projectCreated, project, 2, people.admin._id);
    const change = { ...toUpdate(project), memberIds: [people.member._id, people.other._id], version: 2 };
    await service.deliver(projectUpdated, change, 2, people.admin._id);
    expect(await listReceived(people.member, people.other)).toEqual([NOTHING, NOTHING]);
  });

  it('notifies only current members', async () => {
    const project = buildProject(people, { memberIds: [people.member._id, people.other._id] });
    const change = { ...toUpdate(project), memberIds: [people.other._id], version: 2 };
    await service.deliver(projectUpdated, change, 1, people.admin._id);
    await service.deliver(projectCreated, project, 2, people.admin._id);
    const welcomeOnly = { subjects: ['You were added to Customer portal'], kinds: ['projects.member.added'] };
    expect(await listReceived(people.member, people.other)).toEqual([NOTHING, welcomeOnly]);
  });
});
