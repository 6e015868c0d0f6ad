import { projectCreated, projectUpdated } from '@atrium/proto-events/events/projects';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor, waitForLive } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { projectConversationId } from '../src/model/conversations/conversation-repository.ts';
import { type People, send, startChat } from './factories.ts';
import { closeSockets, connectChat } from './sockets.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startChat());
});
afterEach(closeSockets);
afterAll(async () => {
  await service.close();
});

const buildProject = async (...members: DirectoryUser[]) => {
  const project = {
    projectId: newId(),
    name: 'Portal',
    status: 'in-progress',
    managerId: people.manager._id,
    memberIds: members.map(({ _id }) => _id),
    version: 1,
  };
  await service.deliver(projectCreated, { ...project, createdBy: people.admin._id });
  return { project, path: `/chat/conversations/${projectConversationId(project.projectId)}` };
};
const readStatus = async (path: string, as: DirectoryUser, issuedAt = Date.now()) => {
  const headers = { authorization: `Bearer ${await service.tokens.sign(as, { issuedAt })}` };
  return (await service.call('GET', path, { headers })).status;
};

describe('a project’s conversation', () => {
  it('adds and removes participants within a second after its project changes', async () => {
    const { project, path } = await buildProject(people.member, people.ben);
    const [ben, cleo] = await Promise.all([connectChat(service, people.ben), connectChat(service, people.cleo)]);
    expect(await readStatus(path, people.ben)).toBe(200);
    expect(await readStatus(path, people.cleo)).toBe(404);

    const memberIds = [people.member._id, people.cleo._id];
    const delivery = service.deliver(projectUpdated, {
      ...project,
      memberIds,
      version: 2,
      progress: 0,
      changed: ['teamMembers'],
    });
    await Promise.all([
      waitForLive('the removed user has no access', async () => (await readStatus(path, people.ben)) === 404),
      waitForLive('the added user has access', async () => (await readStatus(path, people.cleo)) === 200),
    ]);
    await delivery;
    expect(await ben.receives('conversation:participant_removed')).toMatchObject({ removedUserId: people.ben._id });
    await cleo.receives('conversation:new');

    const conversation = projectConversationId(project.projectId);
    await send(service, people.member, conversation, 'Only for us');
    await cleo.receives('message:new', ({ message }) => message.content === 'Only for us');
    expect(ben.all('message:new')).toEqual([]);
    const rejectedResponse = await service.call('POST', '/chat/messages', {
      as: people.ben,
      body: { conversation, content: 'Still here?' },
    });
    expect(rejectedResponse.status).toBe(404);
  });

  it('rejects the token of a deactivated user within a second, and closes their sockets', async () => {
    const { path } = await buildProject(people.member, people.ben);
    const issuedAt = Date.now() - 60_000;
    const ben = await connectChat(service, people.ben);
    expect(await readStatus(path, people.ben, issuedAt)).toBe(200);
    await service.publishUser({ ...people.ben, status: 'inactive', sessionsValidAfter: Date.now(), version: 2 });
    await waitForLive('the token is rejected', async () => (await readStatus(path, people.ben, issuedAt)) === 401);
    await waitFor(() => !ben.socket.connected, { description: 'the socket to be closed' });
    await service.publishUser({ ...people.ben, sessionsValidAfter: 0, version: 3 });
  });

  it('cannot be deleted by a former administrator', async () => {
    const { path } = await buildProject(people.member);
    const issuedAt = Date.now() - 60_000;
    await service.publishUser({ ...people.admin, role: 'member', sessionsValidAfter: Date.now() - 1_000, version: 2 });
    await waitForLive(
      'the old token is rejected',
      async () => (await readStatus(path, people.admin, issuedAt)) === 401,
    );
    // Uses a token that still has the role of an administrator.
    const { status } = await service.call('DELETE', path, { as: people.admin });
    expect(status).toBe(404);
    expect(await readStatus(path, people.member)).toBe(200);
  });
});
