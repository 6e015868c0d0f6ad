import { documentUpdated } from '@atrium/proto-events/events/documents';
import { meetingUpdated } from '@atrium/proto-events/events/meetings';
import { projectDeleted, projectUpdated, taskCreated } from '@atrium/proto-events/events/projects';
import { userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connectChat, connectLive } from './sockets.ts';

const connectAs = (as: keyof People) => connectLive(service, people[as]);
const publishUserUpdate = (userId: string, version = 2) =>
  service.deliver(userUpdated, { userId, role: 'member', status: 'active', version, changed: ['bio'] }, 2);

// Each producer's changes arrive in order: once a later one has arrived, an earlier one no longer can.

const NO_CALENDAR = { timezone: 'UTC', master: null, occurrences: [] };

describe('live updates', () => {
  it('of users, projects, and tasks go to everyone, with ids only', async () => {
    const sockets = await Promise.all([connectAs('stranger'), connectAs('admin')]);
    const projectId = newId();
    // A different project, because changes of the same resource within a window are merged.
    const deletedId = newId();
    const taskId = newId();
    const projectData = {
      projectId,
      name: 'Secret name',
      status: 'in-progress',
      managerId: newId(),
      memberIds: [],
      version: 3,
    };
    await service.deliver(projectUpdated, { ...projectData, progress: 5, changed: ['progress'] }, 2);
    await service.deliver(projectDeleted, { projectId: deletedId, name: 'Gone' }, 2);
    await service.deliver(
      taskCreated,
      { taskId, projectId, title: 'Secret', status: 'todo', assignedTo: null, version: 1 },
      2,
    );
    await publishUserUpdate(people.ben._id);
    for (const { receives } of sockets) {
      expect(await receives(({ id, action }) => id === projectId && action === 'updated')).toEqual({
        resource: 'project',
        id: projectId,
        action: 'updated',
        version: 3,
        changed: ['progress'],
        status: 'in-progress',
      });
      await receives(({ id, action }) => id === deletedId && action === 'deleted');
      expect(await receives(({ id }) => id === taskId)).toEqual({
        resource: 'task',
        id: taskId,
        action: 'created',
        version: 1,
        scope: { project: projectId },
        status: 'todo',
      });
      await receives(({ resource, id }) => resource === 'user' && id === people.ben._id);
    }
  });

  it('of a meeting go to its current and removed participants and to administrators', async () => {
    const [organizer, participant, removedParticipant, admin, stranger] = await Promise.all([
      connectAs('manager'),
      connectAs('member'),
      connectAs('ben'),
      connectAs('admin'),
      connectAs('stranger'),
    ]);
    const update = (meetingId: string, organizerId: string, removedIds: string[] = []) => {
      const time = new Date().toISOString();
      const data = {
        meetingId,
        seriesId: null,
        calendarId: meetingId,
        sequence: 1,
        recurrenceId: null,
        title: 'Review',
        description: '',
        agenda: '',
        location: '',
        meetingLink: '',
        startTime: time,
        endTime: time,
        timezone: 'UTC',
        recurrence: null,
        organizerId,
        participantIds: [people.member._id],
        removedIds,
        addedIds: [],
        rsvpReset: false,
        changed: ['participants'],
        version: 2,
        calendarBefore: NO_CALENDAR,
        calendar: NO_CALENDAR,
      };
      return service.deliver(meetingUpdated, data, 2);
    };
    const meetingId = newId();
    const ownMeetingId = newId();
    await update(meetingId, people.manager._id, [people.ben._id]);
    await update(ownMeetingId, people.stranger._id);
    for (const { receives } of [organizer, participant, removedParticipant, admin]) {
      expect(await receives(({ id }) => id === meetingId)).toMatchObject({
        resource: 'meeting',
        action: 'updated',
        version: 2,
      });
    }
    await stranger.receives(({ id }) => id === ownMeetingId);
    expect(stranger.received().filter(({ id }) => id === meetingId)).toEqual([]);
  });

  it('of a document go to users who can read it', async () => {
    const [uploader, reader, admin, stranger] = await Promise.all([
      connectAs('member'),
      connectAs('ben'),
      connectAs('admin'),
      connectAs('stranger'),
    ]);
    const update = (documentId: string, audience: { everyone: boolean; userIds: string[] }) =>
      service.deliver(
        documentUpdated,
        {
          documentId,
          name: 'Plan',
          uploadedBy: people.member._id,
          audience,
          version: 2,
          project: null,
          changed: ['name'],
        },
        2,
      );
    const hiddenId = newId();
    const visibleId = newId();
    await update(hiddenId, { everyone: false, userIds: [people.ben._id] });
    await update(visibleId, { everyone: true, userIds: [] });
    for (const { receives } of [uploader, reader, admin]) await receives(({ id }) => id === hiddenId);
    await stranger.receives(({ id }) => id === visibleId);
    expect(stranger.received().filter(({ id }) => id === hiddenId)).toEqual([]);
  });

  it('of a conversation go to its participants only', async () => {
    const [ben, admin] = await Promise.all([connectAs('ben'), connectAs('admin')]);
    const { _id } = await createDirect(service, people.member, people.ben);
    expect(await ben.receives(({ id }) => id === _id)).toEqual({
      resource: 'conversation',
      id: _id,
      action: 'created',
      version: 1,
    });
    const ownConversation = await createDirect(service, people.member, people.admin);
    await admin.receives(({ id }) => id === ownConversation._id);
    expect(admin.received().filter(({ id }) => id === _id)).toEqual([]);
  });

  it('of a new conversation replace conversation:new if it has many participants', async () => {
    const others = Array.from({ length: 201 }, () => buildUser());
    service.addToDirectory(...others);
    const [ben, chatSocket] = await Promise.all([connectAs('ben'), connectChat(service, people.ben)]);
    const { _id } = await createGroup(service, [people.member, people.ben, ...others], 'everybody');
    await ben.receives(({ id, action }) => id === _id && action === 'created');
    await send(service, people.member, _id, 'welcome');
    await chatSocket.receives('message:new', ({ message }) => message.conversation === _id);
    expect(chatSocket.all('conversation:new')).toEqual([]);
  });

  it('of many messages are merged into a few, with the last seq', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [ben, stranger] = await Promise.all([connectAs('ben'), connectAs('stranger')]);
    await Promise.all(Array.from({ length: 40 }, () => send(service, people.member, _id)));
    const isMessageChange = ({ resource, id }: { resource: string; id: string }) =>
      resource === 'message' && id === _id;
    await ben.receives((change) => isMessageChange(change) && change.version === 40);
    expect(ben.received().filter(isMessageChange).length).toBeLessThan(10);
    const ownConversation = await createDirect(service, people.stranger, people.member);
    await send(service, people.member, ownConversation._id);
    await stranger.receives(({ resource, id }) => resource === 'message' && id === ownConversation._id);
    expect(stranger.received().filter(isMessageChange)).toEqual([]);
  });
});
