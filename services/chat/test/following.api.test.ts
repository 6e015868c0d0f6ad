import { projectCreated, projectUpdated } from '@atrium/proto-events/events/projects';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { projectConversationId } from '../src/conversations/conversation-id.ts';
import { type People, send, startChat } from './factories.ts';
import { aChatter, closeSockets } from './sockets.ts';

/** Who is in a project's conversation follows the project and the directory, as they are told over NATS. */

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startChat());
});
afterEach(closeSockets);
afterAll(async () => {
  await service.close();
});

const withinASecond = (what: string, ask: () => Promise<boolean>) =>
  waitFor(ask, { what: `${what} within a second`, timeoutMs: 1_000, everyMs: 10 });

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
const statusOf = async (path: string, as: DirectoryUser, issuedAt = Date.now()) => {
  const headers = { authorization: `Bearer ${await service.tokens.sign(as, { issuedAt })}` };
  return (await service.call('GET', path, { headers })).status;
};

describe('a project’s conversation', () => {
  it('loses who is removed from the project and gains who is added, within a second', async () => {
    const { project, path } = await buildProject(people.member, people.ben);
    const [ben, cleo] = await Promise.all([aChatter(service, people.ben), aChatter(service, people.cleo)]);
    expect(await statusOf(path, people.ben)).toBe(200);
    expect(await statusOf(path, people.cleo)).toBe(404);

    const memberIds = [people.member._id, people.cleo._id];
    const told = service.deliver(projectUpdated, {
      ...project,
      memberIds,
      version: 2,
      progress: 0,
      changed: ['teamMembers'],
    });
    await Promise.all([
      withinASecond('the removed person is out', async () => (await statusOf(path, people.ben)) === 404),
      withinASecond('the added person is in', async () => (await statusOf(path, people.cleo)) === 200),
    ]);
    await told;
    expect(await ben.hears('conversation:participant_removed')).toMatchObject({ removedUserId: people.ben._id });
    await cleo.hears('conversation:new');

    const conversation = projectConversationId(project.projectId);
    await send(service, people.member, conversation, 'Only for us');
    await cleo.hears('message:new', ({ message }) => message.content === 'Only for us');
    expect(ben.all('message:new')).toEqual([]);
    const refused = await service.call('POST', '/chat/messages', {
      as: people.ben,
      body: { conversation, content: 'Still here?' },
    });
    expect(refused.status).toBe(404);
  });

  it('is closed to somebody deactivated within a second, and their socket with it', async () => {
    const { path } = await buildProject(people.member, people.ben);
    const issuedAt = Date.now() - 60_000;
    const ben = await aChatter(service, people.ben);
    expect(await statusOf(path, people.ben, issuedAt)).toBe(200);
    await service.announce({ ...people.ben, status: 'inactive', sessionsValidAfter: Date.now(), version: 2 });
    await withinASecond('their token is refused', async () => (await statusOf(path, people.ben, issuedAt)) === 401);
    await waitFor(() => !ben.socket.connected, { what: 'the socket to be closed', timeoutMs: 5_000 });
    await service.announce({ ...people.ben, sessionsValidAfter: 0, version: 3 });
  });

  it('is no longer an administrator’s to delete who has become a member, within a second', async () => {
    const { path } = await buildProject(people.member);
    const issuedAt = Date.now() - 60_000;
    await service.announce({ ...people.admin, role: 'member', sessionsValidAfter: Date.now() - 1_000, version: 2 });
    await withinASecond('the old token is refused', async () => (await statusOf(path, people.admin, issuedAt)) === 401);
    // A token that still says administrator: the directory decides.
    const { status } = await service.call('DELETE', path, { as: people.admin });
    expect(status).toBe(404);
    expect(await statusOf(path, people.member)).toBe(200);
  });
});
