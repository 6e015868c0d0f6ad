import type { Attachment } from '@atrium/proto-events/http/chat/attachments';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { createGroup, type People, request, startChat } from './factories.ts';
import { type FilesOptions, listKeys, postFiles, sendFiles } from './files.ts';
import { closeSockets } from './sockets.ts';

export const MAX_FILE_BYTES = 6_000_000;

/** Started before the tests of the importing suite. */
export let service: TestService;
export let people: People;
export let bucket: Awaited<ReturnType<typeof startChat>>['bucket'];
/** Created for each test, with the member and Ben. */
export let group: Conversation;

beforeAll(async () => {
  ({ service, people, bucket } = await startChat({ MAX_UPLOAD_BYTES: String(MAX_FILE_BYTES) }));
});
afterEach(closeSockets);
afterAll(async () => {
  await openedDb?.pool.end();
  await service.close();
});
beforeEach(async () => {
  group = await createGroup(service, [people.member, people.ben]);
});

export const log = createLogger('test', 'silent');
let openedDb: Db | undefined;
/** Opens a database connection for the background work of the service. */
export const db = (): Db => {
  openedDb ??= createDb(service.env.DATABASE_URL ?? '', 2, log);
  return openedDb;
};

/** Unique content, because equal content of a user is stored once. */
export const unique = (text = 'Hello') => `${text} ${newId()}`;
export const formFields = (overrides: Record<string, string> = {}) => ({ conversation: group._id, ...overrides });
export const post = (options: Omit<FilesOptions, 'fields'> & { fields?: Record<string, string> }) =>
  postFiles(service, { as: people.member, fields: formFields(), ...options });
export const sendWithFiles = (options: Omit<FilesOptions, 'fields'> & { fields?: Record<string, string> } = {}) =>
  sendFiles(service, { as: people.member, fields: formFields(), files: [['notes.txt', unique()]], ...options });
export const listMessages = (as = people.ben) =>
  request<{ data: Message[] }>(service, as, ['GET', `/chat/messages?conversation=${group._id}&limit=100`]);
export const firstAttachment = (message: Message): Attachment => {
  const [attachment] = message.attachments ?? [];
  if (!attachment) throw new Error('The message has no files');
  return attachment;
};
export const getAttachment = (as: People[keyof People], id: string) =>
  service.call('GET', `/chat/attachments/${id}`, { as });
export const download = async (attachment: Attachment) => fetch(attachment.downloadUrl ?? 'no link');
export const downloadText = async (attachment: Attachment) => (await download(attachment)).text();
export const errorBody = (text: string) => ({ body: { message: [text] } });

export const waitForDeletions = () =>
  waitFor(async () => (await service.query('select from objects_to_delete')).length === 0, {
    description: 'released objects to be deleted',
  });
export const listRows = (id: string) => service.query('select name from attachments where conversation_id = $1', [id]);
export const listMessageKeys = async (message: Message) =>
  (await listKeys(bucket)).filter((key) => key.startsWith(`chat/${message._id}/`));
