import { documentUpdated } from '@atrium/proto-events/events/documents';
import { meetingUpdated } from '@atrium/proto-events/events/meetings';
import { projectDeleted, projectUpdated, taskCreated } from '@atrium/proto-events/events/projects';
import { userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/people';
import { describe, expect, it } from '@jest/globals';
import { aDirect, aGroup, type People, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { aChatter, aWatcher } from './sockets.ts';

const watcher = (as: keyof People) => aWatcher(service, people[as]);
const user = (userId: string, version = 2) =>
  service.deliver(userUpdated, { userId, role: 'member', status: 'active', version, changed: ['bio'] }, 2);

// Streams are told side by side, each in its own order: what somebody was not told of is seen once they have been told of something later
// of the same producer.

const NO_CALENDAR = { timezone: 'UTC', master: null, occurrences: [] };

describe('what changed', () => {
  it('of people, projects and tasks is told to everyone, ids only', async () => {
    const watchers = await Promise.all([watcher('stranger'), watcher('admin')]);
    const projectId = newId();
    // Not the same project: of one thing only the latest is told, where both fall into one window.
    const goneId = newId();
    const taskId = newId();
    const facts = {
      projectId,
      name: 'Secret name',
      status: 'in-progress',
      managerId: newId(),
      memberIds: [],
      version: 3,
    };
    await service.deliver(projectUpdated, { ...facts, progress: 5, changed: ['progress'] }, 2);
    await service.deliver(projectDeleted, { projectId: goneId, name: 'Gone' }, 2);
    await service.deliver(
      taskCreated,
      { taskId, projectId, title: 'Secret', status: 'todo', assignedTo: null, version: 1 },
      2,
    );
    await user(people.ben._id);
    for (const { sees } of watchers) {
      expect(await sees(({ id, action }) => id === projectId && action === 'updated')).toEqual({
        resource: 'project',
        id: projectId,
        action: 'updated',
        version: 3,
        changed: ['progress'],
        status: 'in-progress',
      });
      await sees(({ id, action }) => id === goneId && action === 'deleted');
      expect(await sees(({ id }) => id === taskId)).toEqual({
        resource: 'task',
        id: taskId,
        action: 'created',
        version: 1,
        scope: { project: projectId },
        status: 'todo',
      });
      await sees(({ resource, id }) => resource === 'user' && id === people.ben._id);
    }
  });

  it('of a meeting is told to its people, those it lost, and administrators', async () => {
    const [organizer, invited, removed, admin, stranger] = await Promise.all([
      watcher('manager'),
      watcher('member'),
      watcher('ben'),
      watcher('admin'),
      watcher('stranger'),
    ]);
    const update = (meetingId: string, organizerId: string, removedIds: string[] = []) => {
      const at = new Date().toISOString();
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
        startTime: at,
        endTime: at,
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
    const [meetingId, own] = [newId(), newId()];
    await update(meetingId, people.manager._id, [people.ben._id]);
    await update(own, people.stranger._id);
    for (const { sees } of [organizer, invited, removed, admin]) {
      expect(await sees(({ id }) => id === meetingId)).toMatchObject({
        resource: 'meeting',
        action: 'updated',
        version: 2,
      });
    }
    await stranger.sees(({ id }) => id === own);
    expect(stranger.seen().filter(({ id }) => id === meetingId)).toEqual([]);
  });

  it('of a document is told to those who may read it', async () => {
    const [uploader, reader, admin, stranger] = await Promise.all([
      watcher('member'),
      watcher('ben'),
      watcher('admin'),
      watcher('stranger'),
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
    const [hidden, shown] = [newId(), newId()];
    await update(hidden, { everyone: false, userIds: [people.ben._id] });
    await update(shown, { everyone: true, userIds: [] });
    for (const { sees } of [uploader, reader, admin]) await sees(({ id }) => id === hidden);
    await stranger.sees(({ id }) => id === shown);
    expect(stranger.seen().filter(({ id }) => id === hidden)).toEqual([]);
  });

  it('of conversations is told to their people only', async () => {
    const [ben, admin] = await Promise.all([watcher('ben'), watcher('admin')]);
    const { _id } = await aDirect(service, people.member, people.ben);
    expect(await ben.sees(({ id }) => id === _id)).toEqual({
      resource: 'conversation',
      id: _id,
      action: 'created',
      version: 1,
    });
    const own = await aDirect(service, people.member, people.admin);
    await admin.sees(({ id }) => id === own._id);
    expect(admin.seen().filter(({ id }) => id === _id)).toEqual([]);
  });

  it('of a channel of very many people is told here alone, not in a copy for each of them', async () => {
    const crowd = Array.from({ length: 201 }, () => buildUser());
    service.know(...crowd);
    const [ben, chatter] = await Promise.all([watcher('ben'), aChatter(service, people.ben)]);
    const { _id } = await aGroup(service, [people.member, people.ben, ...crowd], 'everybody');
    await ben.sees(({ id, action }) => id === _id && action === 'created');
    await send(service, people.member, _id, 'welcome');
    await chatter.hears('message:new', ({ message }) => message.conversation === _id);
    expect(chatter.all('conversation:new')).toEqual([]);
  });

  it('by many messages at once is told in few words, with the last seq', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const [ben, stranger] = await Promise.all([watcher('ben'), watcher('stranger')]);
    await Promise.all(Array.from({ length: 40 }, () => send(service, people.member, _id)));
    const isIt = ({ resource, id }: { resource: string; id: string }) => resource === 'message' && id === _id;
    await ben.sees((change) => isIt(change) && change.version === 40);
    expect(ben.seen().filter(isIt).length).toBeLessThan(10);
    const own = await aDirect(service, people.stranger, people.member);
    await send(service, people.member, own._id);
    await stranger.sees(({ resource, id }) => resource === 'message' && id === own._id);
    expect(stranger.seen().filter(isIt)).toEqual([]);
  });
});
