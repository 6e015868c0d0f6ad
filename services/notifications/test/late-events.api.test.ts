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
  startNotifications,
  type TestUsers,
  toCancelledEvent,
  toScheduledEvent,
  toUpdatedEvent,
} from './factories.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startNotifications());
});
afterAll(() => service.close());

beforeEach(() => {
  users = {
    ...users,
    manager: buildUniqueUser({ role: 'project_manager' }),
    member: buildUniqueUser(),
    other: buildUniqueUser(),
  };
  service.addToDirectory(...Object.values(users));
});

type TestUser = TestUsers[keyof TestUsers];
type Listed = { data: { kind: string; subject: { id: string } }[] };

/** Emails and notification kinds of each user, once they have received the project email that ends the test. */
async function listReceived(...recipients: TestUser[]) {
  const lastProject = buildProject(users, { name: 'Last', memberIds: recipients.map(({ _id }) => _id) });
  await service.deliver(projectCreated, lastProject, 1, users.admin._id);
  return Promise.all(
    recipients.map(async (user) => {
      const { body } = await service.call('GET', '/notifications', { as: user });
      const isLast = async () => (await emailsTo(user.email)).some(({ subject }) => subject.endsWith('Last'));
      await waitFor(isLast, { description: 'the last email' });
      const emailSubjects = (await emailsTo(user.email)).map(({ subject }) => subject);
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
    const meeting = buildMeeting(users);
    await service.deliver(
      meetingCancelled,
      toCancelledEvent({ ...meeting, sequence: 1, version: 2 }),
      1,
      users.admin._id,
    );
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 2, users.admin._id);
    expect(await listReceived(users.member, users.manager)).toEqual([CANCELLATION, { ...CANCELLATION, subjects: [] }]);
  });

  it('invites no one to a series whose cancellation named a different occurrence', async () => {
    const series = { seriesId: newId(), recurrence: { frequency: 'weekly' as const, until: null } };
    const calendarId = series.seriesId;
    const meeting = buildMeeting(users, { ...series, calendarId });
    const canceledOccurrence = { ...meeting, meetingId: newId(), sequence: 1, version: 2 };
    await service.deliver(meetingCancelled, toCancelledEvent(canceledOccurrence), 1, users.admin._id);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 2, users.admin._id);
    expect(await listReceived(users.member)).toEqual([CANCELLATION]);
  });

  it('invites to a series that continues without its first occurrence', async () => {
    const series = { seriesId: newId(), recurrence: { frequency: 'weekly' as const, until: null } };
    const meeting = buildMeeting(users, { ...series, calendarId: series.seriesId });
    const singleOccurrence = { ...meeting, recurrence: null, recurrenceId: meeting.startTime, sequence: 1, version: 2 };
    await service.deliver(meetingCancelled, toCancelledEvent(singleOccurrence), 1, users.admin._id);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.admin._id);
    // The second email about a calendar is delayed.
    await waitForEmail(users.member.email, 2);
    const [receivedByMember] = await listReceived(users.member);
    expect(receivedByMember?.subjects).toContain('Invitation: Weekly planning');
    expect(receivedByMember?.kinds).toContain('meetings.meeting.scheduled');
  });

  it('sends removed participants their cancellation and nothing else', async () => {
    const meeting = buildMeeting(users, { participantIds: [users.member._id] });
    const idsBefore = [users.other._id, users.member._id, users.manager._id];
    const idsAfter = [users.member._id, users.manager._id, users.admin._id];
    const change = {
      ...meeting,
      participantIds: idsAfter,
      sequence: 1,
      version: 2,
      rsvpReset: false,
      removedIds: [users.other._id],
      addedIds: [users.admin._id],
      changed: ['participants', 'location'],
    };
    await service.deliver(
      meetingCancelled,
      toCancelledEvent({ ...meeting, sequence: 2, version: 3 }),
      1,
      users.admin._id,
    );
    await service.deliver(
      meetingUpdated,
      toUpdatedEvent({ ...meeting, participantIds: idsBefore }, change),
      2,
      newId(),
    );
    const cancellationOnly = { subjects: ['Cancelled: Weekly planning'], kinds: ['meetings.participant.removed'] };
    expect(await listReceived(users.other, users.member)).toEqual([cancellationOnly, CANCELLATION]);
    const { body } = await service.call('GET', '/notifications', { as: users.admin });
    expect((body as Listed).data.filter(({ subject }) => subject.id === meeting.meetingId)).toEqual([]);
  });

  it('sends no reminder', async () => {
    const meeting = buildMeeting(users);
    await service.deliver(
      meetingCancelled,
      toCancelledEvent({ ...meeting, sequence: 1, version: 2 }),
      1,
      users.admin._id,
    );
    await service.deliver(meetingDue, { ...meeting, personIds: [users.member._id] }, 1);
    expect(await listReceived(users.member)).toEqual([CANCELLATION]);
  });
});

describe('a project event that arrives late', () => {
  const toUpdate = ({ createdBy: _, ...fields }: ReturnType<typeof buildProject>) => ({
    ...fields,
    progress: 0,
    changed: ['members'],
  });

  it('notifies no one about a deleted project', async () => {
    const project = buildProject(users);
    const { projectId, name } = project;
    await service.deliver(projectDeleted, { projectId, name }, 1, users.admin._id);
    await service.deliver(projectCreated, project, 2, users.admin._id);
    const change = { ...toUpdate(project), memberIds: [users.member._id, users.other._id], version: 2 };
    await service.deliver(projectUpdated, change, 2, users.admin._id);
    expect(await listReceived(users.member, users.other)).toEqual([NOTHING, NOTHING]);
  });

  it('notifies only current members', async () => {
    const project = buildProject(users, { memberIds: [users.member._id, users.other._id] });
    const change = { ...toUpdate(project), memberIds: [users.other._id], version: 2 };
    await service.deliver(projectUpdated, change, 1, users.admin._id);
    await service.deliver(projectCreated, project, 2, users.admin._id);
    const welcomeOnly = { subjects: ['You were added to Customer portal'], kinds: ['projects.member.added'] };
    expect(await listReceived(users.member, users.other)).toEqual([NOTHING, welcomeOnly]);
  });
});
