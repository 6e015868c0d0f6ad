import { projectCreated, projectUpdated } from '@atrium/proto-events/events/projects';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { projectConversationId } from '../src/model/conversations/conversation-repository.ts';
import type { People } from './factories.ts';
import { call, people, service } from './running-chat.ts';

type Overrides = Record<string, unknown>;

const buildProjectData = (projectId: string, overrides: Overrides) => ({
  projectId,
  name: 'Customer portal',
  status: 'in-progress',
  managerId: people.manager._id,
  memberIds: [people.member._id, people.ben._id],
  version: 1,
  ...overrides,
});

export const deliverCreated = (projectId: string, overrides: Overrides = {}, times = 2) =>
  service.deliver(projectCreated, { ...buildProjectData(projectId, overrides), createdBy: people.admin._id }, times);

export const deliverUpdated = (projectId: string, overrides: Overrides = {}, times = 2) =>
  service.deliver(
    projectUpdated,
    { ...buildProjectData(projectId, { version: 2, ...overrides }), progress: 5, changed: [] },
    times,
  );

/** Undefined if the user cannot see the conversation. */
export async function readConversation(as: keyof People, projectId: string): Promise<Conversation | undefined> {
  const { status, body } = await call(as, 'GET', `/chat/conversations/${projectConversationId(projectId)}`);
  return status === 200 ? (body as Conversation) : undefined;
}
