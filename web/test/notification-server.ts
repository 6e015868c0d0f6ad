import type { Notification } from '../src/entities/notification/use-notifications.ts';
import { buildNotification } from './build-notification.ts';

export const buildProjectNotification = (n: number, overrides: Partial<Notification> = {}): Notification =>
  buildNotification({
    _id: `event ${n}`,
    subject: { resource: 'project', id: '7'.repeat(24), title: `Project ${n}` },
    kind: 'projects.member.added',
    notice: { kind: 'project_added', reason: 'project_member', setting: 'channels' },
    createdAt: new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString(),
    ...overrides,
  });

const READ_AT = '2026-01-03T00:00:00.000Z';

/** Responds like the notifications service. Tests change its notifications and availability. */
export function createNotificationServer(initial: readonly Notification[]) {
  const server = {
    notifications: [...initial],
    isUnavailable: false,
    /** Paths and bodies of the requests that marked notifications. */
    marked: [] as { path: string; body: unknown }[],
    respond,
  };
  function respond({ method, path, body }: { method: string; path: string; body: unknown }) {
    if (server.isUnavailable) return { status: 404, body: { message: 'Not now', code: 'not_found', requestId: 'r' } };
    return method === 'POST' ? mark(path.replace('/api', ''), body) : list(path);
  }
  function mark(path: string, body: unknown) {
    server.marked.push({ path, body });
    const { before, ids, about } = body as { before?: string; ids?: string[]; about?: string };
    const readAt = path.endsWith('/unread') ? null : READ_AT;
    const isMarked = ({ _id, createdAt, subject }: Notification) =>
      ids?.includes(_id) ?? (subject.id === about || (before !== undefined && createdAt <= before));
    const updatedCount = server.notifications.filter(isMarked).length;
    server.notifications = server.notifications.map((item) => (isMarked(item) ? { ...item, readAt } : item));
    return { status: 200, body: { updatedCount } };
  }
  function list(path: string) {
    const { searchParams } = new URL(path, 'http://localhost');
    const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
    const filter = searchParams.get('filter');
    const isListed = ({ readAt, notice }: Notification) =>
      filter === 'unread' ? readAt === null : filter !== 'mentions' || notice?.kind === 'mention';
    const listed = server.notifications.filter(isListed);
    const data = listed.slice((page - 1) * limit, page * limit);
    const totalPages = Math.ceil(listed.length / limit);
    const unread = server.notifications.filter(({ readAt }) => readAt === null);
    const unreadInChat = unread.filter(({ subject }) => ['conversation', 'thread'].includes(subject.resource)).length;
    const counts = { unreadCount: unread.length, unreadInChat };
    return { status: 200, body: { data, total: listed.length, page, totalPages, ...counts } };
  }
  return server;
}
