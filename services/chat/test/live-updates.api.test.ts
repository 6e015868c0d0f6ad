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
import { buildTaskEvent } from './task-events.ts';

const connectAs = async (as: keyof People, ...tags: string[]) => {
  const socket = await connectLive(service, people[as]);
  await socket.subscribe(tags);
  return socket;
};

// Each producer's changes arrive in order: once a later one has arrived, an earlier one no longer can.

const NO_CALENDAR = { timezone: 'UTC', master: null, occurrences: [] };

describe('live updates', () => {
  it('of users, projects, and tasks go to every subscriber, with the items and their people', async () => {
    const tags = ['projects', 'tasks', 'users'];
    const sockets = await Promise.all([connectAs('stranger', ...tags), connectAs('admin', ...tags)]);
    const projectId = newId();
    // A different project, because changes of the same resource within a batch are merged.
    const deletedId = newId();
    const taskId = newId();
    const projectData = {
      projectId,
      name: 'Name',
      status: 'in-progress',
      managerId: newId(),
      memberIds: [],
      version: 3,
    };
    await service.deliver(projectUpdated, { ...projectData, progress: 5, changed: ['progress'] }, 2);
    await service.deliver(projectDeleted, { projectId: deletedId, name: 'Gone' }, 2);
    const { event, item } = buildTaskEvent(projectId, { createdBy: people.member, assignedTo: people.ben }, taskId);
    await service.deliver(taskCreated, event, 2);
    const userFields = { userId: people.ben._id, role: 'member', status: 'active', version: 2 } as const;
    await service.deliver(userUpdated, { ...userFields, changed: ['bio'] }, 2);
    for (const { receives, frames } of sockets) {
      expect(await receives(({ id, action }) => id === projectId && action === 'updated')).toEqual({
        resource: 'project',
        id: projectId,
        action: 'updated',
        version: 3,
        tags: ['projects', `project:${projectId}`],
        changed: ['progress'],
      });
      await receives(({ id, action }) => id === deletedId && action === 'deleted');
      expect(await receives(({ id }) => id === taskId)).toEqual({
        resource: 'task',
        id: taskId,
        action: 'created',
        version: 1,
        tags: [
          'tasks',
          `tasks-in:${projectId}`,
          `task:${taskId}`,
          `tasks-of:${people.ben._id}`,
          `tasks-by:${people.member._id}`,
        ],
        item,
      });
      const frame = frames.find(({ changes }) => changes.some(({ id }) => id === taskId));
      expect(frame?.people?.map(({ _id, firstName }) => [_id, firstName])).toEqual([
        [people.ben._id, 'Ben'],
        [people.member._id, 'Mia'],
      ]);
      await receives(({ resource, id }) => resource === 'user' && id === people.ben._id);
    }
  });

  it('of an item to several subscribed tags arrive once', async () => {
    const [projectId, taskId, lastId] = [newId(), newId(), newId()];
    const ben = await connectAs('ben', `tasks-in:${projectId}`, `task:${taskId}`, `tasks-of:${people.ben._id}`);
    const users = { createdBy: people.member, assignedTo: people.ben };
    for (const id of [taskId, lastId]) await service.deliver(taskCreated, buildTaskEvent(projectId, users, id).event);
    await ben.receives(({ id }) => id === lastId);
    expect(ben.received().map(({ id }) => id)).toEqual([taskId, lastId]);
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
      connectAs('stranger', 'documents'),
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
      tags: ['conversations'],
      transaction: expect.any(String),
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
