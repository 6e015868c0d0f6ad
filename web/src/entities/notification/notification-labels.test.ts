import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { dayLabel } from '#lib/time/day.ts';
import { buildNotification } from '#test/build-notification.ts';
import { clockTime, shortDate } from '#ui/times/time-format.ts';
import { notificationPath, notificationSentence, reminderText, startText } from './notification-labels.ts';
import type { Notification } from './use-notifications.ts';

const NOW = new Date(2026, 10, 20, 14, 15).getTime();
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();

const sentenceText = (overrides: Partial<Notification>) => {
  const { before, title, after } = notificationSentence(buildNotification(overrides), NOW);
  return [before, title, after].filter(Boolean).join(' ');
};

/** Finds every kind that the notifications service publishes in its sources. */
function publishedKinds(): string[] {
  const folder = new URL('../../../../services/notifications/src/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => readFileSync(new URL(file.replaceAll('\\', '/'), folder), 'utf8'));
  return [...new Set(sources.flatMap((text) => text.match(/'(projects|documents|meetings|users)\.\w+\.\w+'/g) ?? []))];
}

describe('notificationSentence', () => {
  it('names the actor and the subject', () => {
    expect(sentenceText({})).toBe('Ada Admin invited you to Weekly planning');
    expect(sentenceText({ kind: 'meetings.meeting.updated' })).toBe('Ada Admin changed Weekly planning');
    expect(sentenceText({ kind: 'meetings.meeting.cancelled' })).toBe('Ada Admin cancelled Weekly planning');
    expect(sentenceText({ kind: 'meetings.meeting.declined' })).toBe('Ada Admin declined Weekly planning');
    expect(sentenceText({ kind: 'projects.member.added' })).toBe('Ada Admin added you to the project Weekly planning');
    expect(sentenceText({ kind: 'projects.task.assigned' })).toBe('Ada Admin assigned you the task Weekly planning');
    expect(sentenceText({ kind: 'projects.task.commented' })).toBe('Ada Admin commented on Weekly planning');
    const changed = ['status', 'dueDate'];
    expect(sentenceText({ kind: 'projects.task.changed', changed })).toBe(
      'Ada Admin changed the status and the due date of Weekly planning',
    );
    expect(sentenceText({ kind: 'projects.task.changed', changed: [...changed, 'startDate'] })).toBe(
      'Ada Admin changed the status, the due date, and the start date of Weekly planning',
    );
    expect(sentenceText({ kind: 'documents.document.shared' })).toBe('Ada Admin shared Weekly planning with you');
  });

  it('says how many others acted', () => {
    const kind = 'chat.reaction.sent';
    expect(sentenceText({ kind, actorCount: 2 })).toBe(
      'Ada Admin and 1 other reacted to your message in Weekly planning',
    );
    expect(sentenceText({ kind, actorCount: 6 })).toBe(
      'Ada Admin and 5 others reacted to your message in Weekly planning',
    );
  });

  it('omits the name of an unknown actor', () => {
    expect(sentenceText({ actor: null })).toBe('You were invited to Weekly planning');
    expect(sentenceText({ actor: null, kind: 'documents.document.shared' })).toBe('Shared with you: Weekly planning');
  });

  it('has a sentence for every published kind, and for unknown ones', () => {
    const kinds = [...publishedKinds().map((kind) => kind.slice(1, -1)), 'meetings.meeting.scheduled'];
    expect(kinds).toEqual(expect.arrayContaining(['projects.member.added', 'documents.document.shared']));
    for (const kind of kinds) expect(sentenceText({ kind })).not.toMatch(/^Ada Admin:/);
    expect(sentenceText({ kind: 'boats.boat.sunk' })).toBe('Ada Admin: Weekly planning');
    expect(sentenceText({ kind: 'boats.boat.sunk', actor: null })).toBe('Update: Weekly planning');
  });

  it('says what happened to the account of the user, and to the administrators', () => {
    const own = { resource: 'account', id: 'a'.repeat(24), title: 'your account' };
    const security = {
      actor: null,
      notice: { kind: 'security' as const, reason: 'own_account' as const, setting: null },
    };
    const textOf = (kind: string, subject = own) => sentenceText({ ...security, kind, subject });
    expect(textOf('auth.device.added', { ...own, title: 'Firefox on Linux' })).toBe(
      'New sign-in from Firefox on Linux',
    );
    expect(textOf('auth.password.changed')).toBe('The password was changed for your account');
    expect(textOf('auth.reset.made')).toBe('A password reset link was created for your account');
    expect(textOf('meetings.feed.created')).toBe('A calendar link was created for your account');
    const person = { _id: 'c'.repeat(24), firstName: 'Mia', lastName: 'Meyer' };
    const granted = { ...security, kind: 'users.administrator.added', person };
    expect(sentenceText({ ...granted, subject: { ...own, resource: 'user', title: 'the workspace' } })).toBe(
      'Mia Meyer is now an administrator of the workspace',
    );
  });

  it('shows the first date that is canceled or that the user was removed from', () => {
    const from = at(30, 9);
    const day = shortDate(from);
    const removed = { kind: 'meetings.participant.removed', from };
    expect(sentenceText({ kind: 'meetings.meeting.cancelled', from })).toBe(
      `Ada Admin cancelled Weekly planning starting ${day}`,
    );
    expect(sentenceText(removed)).toBe(`Ada Admin removed you from Weekly planning starting ${day}`);
    expect(sentenceText({ ...removed, actor: null })).toBe(`You were removed from Weekly planning starting ${day}`);
  });

  it('names who joined or left a project, and lists the unassigned tasks', () => {
    const person = { _id: 'c'.repeat(24), firstName: 'Mia', lastName: 'Meyer' };
    const joined = { kind: 'projects.member.joined', person };
    expect(sentenceText(joined)).toBe('Ada Admin added Mia Meyer to the project Weekly planning');
    expect(sentenceText({ ...joined, actor: person })).toBe('Mia Meyer joined the project Weekly planning');
    const departed = { kind: 'projects.member.departed', person, actor: null };
    expect(sentenceText(departed)).toBe('Mia Meyer left the project Weekly planning');
    expect(sentenceText({ ...departed, tasks: { titles: ['Plan', 'Build'], count: 3 } })).toBe(
      'Mia Meyer left the project Weekly planning. 3 open tasks are now unassigned: Plan, Build, and 1 more',
    );
    expect(
      sentenceText({ ...departed, kind: 'projects.manager.departed', tasks: { titles: ['Plan'], count: 1 } }),
    ).toBe(
      'Mia Meyer has left and no longer manages Weekly planning. Assign a new project manager. An open task is now unassigned: Plan',
    );
    expect(sentenceText({ kind: 'projects.manager.assigned' })).toBe(
      'Ada Admin made you the manager of Weekly planning',
    );
  });

  it('shows why a file was not saved', () => {
    const failed = { kind: 'documents.attachment.failed', actor: null };
    expect(sentenceText({ ...failed, reason: 'The file is no longer in storage.' })).toBe(
      'Weekly planning could not be saved to Document Hub. The file is no longer in storage.',
    );
  });

  it('shows the day on which a task is due', () => {
    const due = { kind: 'projects.task.due', actor: null };
    expect(sentenceText({ ...due, dueDate: '2026-11-20T00:00:00.000Z' })).toBe('Due today: Weekly planning');
    const dueDate = '2026-11-23T00:00:00.000Z';
    expect(sentenceText({ ...due, dueDate })).toBe(`Due ${dayLabel('2026-11-23')}: Weekly planning`);
    expect(sentenceText(due)).toBe('Due soon: Weekly planning');
  });

  it("shows the start time of the meeting in the browser's time zone", () => {
    const due = { kind: 'meetings.meeting.due', actor: null };
    expect(sentenceText({ ...due, startsAt: at(20, 14, 30) })).toBe(
      `Weekly planning starts at ${clockTime(at(20, 14, 30))}`,
    );
    expect(sentenceText({ ...due, startsAt: at(20, 14) })).toBe(`Weekly planning started at ${clockTime(at(20, 14))}`);
    expect(sentenceText(due)).toBe('Reminder: Weekly planning');
  });
});

describe('reminder text', () => {
  it('names the day if it is not today', () => {
    expect(startText(at(21, 9), NOW)).toBe(`starts tomorrow at ${clockTime(at(21, 9))}`);
    expect(startText(at(19, 9), NOW)).toBe(`started yesterday at ${clockTime(at(19, 9))}`);
    expect(startText(at(12, 9), NOW)).toMatch(/^started on .*2026 at /);
    expect(startText(at(19, 9), null)).toMatch(/^starts on .*2026 at /);
  });

  it('is returned only for unread reminders of future meetings', () => {
    const due = { kind: 'meetings.meeting.due', startsAt: at(20, 14, 30) };
    expect(reminderText(buildNotification(due), NOW)).toMatch(/^Weekly planning starts at /);
    expect(reminderText(buildNotification({ ...due, readAt: at(20, 14) }), NOW)).toBeUndefined();
    expect(reminderText(buildNotification({ ...due, startsAt: at(20, 14, 15) }), NOW)).toBeUndefined();
    expect(reminderText(buildNotification(), NOW)).toBeUndefined();
  });
});

describe('notificationPath', () => {
  const id = '5'.repeat(24);
  const about = (resource: string) => ({ subject: { resource, id, title: 'x' } });

  it('links to the subject', () => {
    expect(notificationPath(buildNotification())).toBe(`/meetings?meeting=${id}`);
    expect(notificationPath(buildNotification(about('document')))).toBe(`/documents?preview=${id}`);
    expect(notificationPath(buildNotification(about('project')))).toBe(`/progress/${id}`);
    expect(notificationPath(buildNotification(about('account')))).toBe('/settings#active-sessions');
    expect(notificationPath(buildNotification(about('user')))).toBe('/user-management');
    const project = '6'.repeat(24);
    const task = { resource: 'task', id, title: 'x', project };
    expect(notificationPath(buildNotification({ subject: task }))).toBe(`/progress/${project}?task=${id}`);
    expect(notificationPath(buildNotification(about('boat')))).toBeUndefined();
  });

  it('links to a message in its conversation or thread', () => {
    const [conversation, thread] = ['7'.repeat(24), '8'.repeat(24)];
    const message = { resource: 'message', id, title: '', place: { conversation, seq: 3 } };
    expect(notificationPath(buildNotification({ subject: message }))).toBe(`/chat?c=${conversation}&m=3`);
    const reply = { ...message, place: { conversation, seq: 2, thread } };
    expect(notificationPath(buildNotification({ subject: reply }))).toBe(
      `/chat?c=${conversation}&thread=${thread}&r=2`,
    );
  });

  it('links to the meeting list if the user is no longer in the meeting', () => {
    expect(notificationPath(buildNotification({ kind: 'meetings.meeting.cancelled' }))).toBe('/meetings');
    expect(notificationPath(buildNotification({ kind: 'meetings.participant.removed' }))).toBe('/meetings');
  });

  it('links to Document Hub for a file that could not be saved', () => {
    expect(notificationPath(buildNotification({ ...about('document'), kind: 'documents.attachment.failed' }))).toBe(
      '/documents',
    );
  });
});
