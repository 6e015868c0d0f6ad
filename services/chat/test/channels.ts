import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { createGroup, request } from './factories.ts';
import { people, service } from './running-chat.ts';

type Viewer = Pick<DirectoryUser, '_id' | 'role'>;

/** The path follows that of the conversations. */
export const callChannel = (as: Viewer, method: string, path: string, body?: unknown) =>
  service.call(method, `/chat/conversations/${path}`, { as, body });

export const readChannel = (as: Viewer, id: string) =>
  request<Conversation>(service, as, ['GET', `/chat/conversations/${id}`]);

export const createChannel = async () => (await createGroup(service, [people.member, people.ben]))._id;
