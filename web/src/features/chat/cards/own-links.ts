import { findWebAddresses } from '@atrium/proto-events/links';
import { withoutCode } from '@atrium/proto-events/text/mentions';
import { CONVERSATION, MESSAGE, REPLY, THREAD } from '#entities/message/message-path.ts';
import { isId } from '#lib/paths.ts';

/** Maximum number of cards below a message. */
const MAX_CARDS = 3;

/** A link to something in this workspace: `path` is where it leads, without its origin. */
export type OwnLink = { path: string } & (
  | { kind: 'task' | 'project' | 'meeting' | 'document'; id: string }
  | { kind: 'message'; conversation: string; root: string | null; seq: number }
);

/** Finds the first links, except in code, to messages, tasks, projects, meetings, and documents of this workspace. */
export function findOwnLinks(content: string, origin: string = location.origin): OwnLink[] {
  if (!content.includes(origin)) return [];
  const links = findWebAddresses(withoutCode(content)).flatMap((address) => parseOwnLink(address, origin) ?? []);
  return links
    .filter(({ path }, index) => links.findIndex((other) => other.path === path) === index)
    .slice(0, MAX_CARDS);
}

function parseOwnLink(address: string, origin: string): OwnLink | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.origin !== origin) return undefined;
  const path = url.pathname + url.search;
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  const ofKind = (kind: 'task' | 'project' | 'meeting' | 'document', id: string): OwnLink | undefined =>
    isId(id) ? { kind, id, path } : undefined;
  const [screen, id = '', ...rest] = url.pathname.slice(1).split('/');
  if (rest.length > 0) return undefined;
  if (screen === 'chat') return parseMessageLink(path, parameter);
  if (screen === 'progress')
    return url.searchParams.has('task') ? ofKind('task', parameter('task')) : ofKind('project', id);
  if (screen === 'meetings') return ofKind('meeting', parameter('meeting'));
  return screen === 'documents' ? ofKind('document', parameter('preview')) : undefined;
}

function parseMessageLink(path: string, parameter: (name: string) => string): OwnLink | undefined {
  const conversation = parameter(CONVERSATION);
  const root = parameter(THREAD);
  const isReply = isId(root) && parameter(REPLY) !== '';
  const seq = parameter(isReply ? REPLY : MESSAGE);
  if (!isId(conversation) || !/^[1-9]\d{0,14}$/.test(seq)) return undefined;
  return { kind: 'message', conversation, root: isReply ? root : null, seq: Number(seq), path };
}
