import type { Notification } from '../src/entities/notification/use-notifications.ts';

/** Builds an unread meeting invitation from Ada Admin. */
export const buildNotification = (overrides: Partial<Notification> = {}): Notification => ({
  _id: 'of an event',
  kind: 'meetings.meeting.scheduled',
  notice: { kind: 'meeting_invitation', reason: 'participant', setting: 'channels' },
  actorCount: 1,
  eventCount: 1,
  actor: {
    _id: 'a'.repeat(24),
    firstName: 'Ada',
    lastName: 'Admin',
    email: 'ada@example.org',
    avatar: null,
    role: 'admin',
    status: 'active',
    department: null,
  },
  subject: { resource: 'meeting', id: '5'.repeat(24), title: 'Weekly planning' },
  readAt: null,
  createdAt: '2026-11-20T09:00:00.000Z',
  ...overrides,
});
