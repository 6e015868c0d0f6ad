import { CHANGED, nameActors, PHRASES, type Phrase } from '@atrium/proto-events/notices/phrases';
import { isolate } from '@atrium/proto-events/text/isolate';
import { settingsPath } from '#lib/settings-titles.ts';
import { dayLabel, dayOfDate, storedDay } from '#lib/time/day.ts';
import { formatList } from '#lib/time/formats.ts';
import { clockTime, daysFromToday, shortDate } from '#ui/times/time-format.ts';
import { messagePath } from '../message/message-path.ts';
import { displayName } from '../user/user-labels.ts';
import type { Notification } from './use-notifications.ts';

type Sentence = { before?: string; title: string; after?: string };

const REMINDER = 'meetings.meeting.due';
const MESSAGE_REMINDER = 'chat.reminder.due';
const SAVE_FAILED = 'documents.attachment.failed';
const CHANGED_TASK = 'projects.task.changed';

const FIELD_LABELS: Readonly<Record<string, string>> = {
  startDate: 'start date',
  dueDate: 'due date',
  status: 'status',
};

function taskChangePhrase(changed: readonly string[] = []): Phrase {
  const labels = changed.map((field) => FIELD_LABELS[field]).filter(Boolean);
  const fields = formatList(labels.map((label) => `the ${label}`));
  if (!fields) return CHANGED;
  return { active: `changed ${fields} of`, passive: `Changed ${fields} of` };
}

/**
 * Newer servers may send kinds that this page does not know. Without the current time, all days are dates, as for printed
 * pages.
 */
export function notificationSentence(notification: Notification, now: number | null): Sentence {
  const { kind, actor, actorCount, subject, startsAt, dueDate, from, changed, reason } = notification;
  const { title } = subject;
  const membership = membershipSentence(notification);
  if (membership) return membership;
  if (dueDate !== undefined) return { before: `${dueText(dueDate, now)}:`, title };
  if (kind === REMINDER && startsAt !== undefined) return { title, after: startText(startsAt, now) };
  if (kind === REMINDER) return { before: 'Reminder:', title };
  if (kind === MESSAGE_REMINDER) return { before: 'Reminder:', title: 'a message that you saved' };
  if (kind === SAVE_FAILED)
    return { title, after: ['could not be saved to Document Hub.', reason].filter(Boolean).join(' ') };
  const phrase = kind === CHANGED_TASK ? taskChangePhrase(changed) : PHRASES[kind];
  if (!phrase) return { before: actor ? `${isolate(displayName(actor))}:` : 'Update:', title };
  const since = from && `starting ${shortDate(from)}`;
  if (!actor) return { before: phrase.passive, title, ...(since && { after: since }) };
  const after = since ?? phrase.after;
  return { before: `${nameActors(displayName(actor), actorCount)} ${phrase.active}`, title, ...(after && { after }) };
}

/** The day is the same in every time zone. */
function dueText(dueDate: string, now: number | null): string {
  const day = storedDay(dueDate);
  return now !== null && day === dayOfDate(new Date(now)) ? 'Due today' : `Due ${dayLabel(day)}`;
}

function membershipSentence({ kind, actor, subject: { title }, person, tasks }: Notification): Sentence | undefined {
  if (!person) return undefined;
  const name = isolate(displayName(person));
  if (kind === 'users.administrator.added') return { before: `${name} is now an administrator of`, title };
  if (kind === 'projects.member.joined') {
    const hasJoinedAlone = !actor || actor._id === person._id;
    return hasJoinedAlone
      ? { before: `${name} joined the project`, title }
      : { before: `${isolate(displayName(actor))} added ${name} to the project`, title };
  }
  const unassigned = tasks && unassignedText(tasks);
  if (kind === 'projects.manager.departed') {
    const after = ['Assign a new project manager.', unassigned].filter(Boolean).join(' ');
    return { before: `${name} has left and no longer manages`, title: `${title}.`, after };
  }
  if (kind !== 'projects.member.departed') return undefined;
  return { before: `${name} left the project`, title, ...(unassigned && { title: `${title}.`, after: unassigned }) };
}

function unassignedText({ titles, count }: NonNullable<Notification['tasks']>): string {
  const hiddenCount = count - titles.length;
  const names = titles.map(isolate).join(', ');
  const list = hiddenCount > 0 ? `${names}, and ${hiddenCount} more` : names;
  return count === 1 ? `An open task is now unassigned: ${list}` : `${count} open tasks are now unassigned: ${list}`;
}

export function startText(startsAt: string, now: number | null): string {
  const verb = now === null || Date.parse(startsAt) > now ? 'starts' : 'started';
  return [verb, dayText(startsAt, now), `at ${clockTime(startsAt)}`].filter(Boolean).join(' ');
}

const NEAR_DAYS: Readonly<Record<number, string>> = { [-1]: 'yesterday', 0: '', 1: 'tomorrow' };

function dayText(time: string, now: number | null): string {
  const near = now === null ? undefined : NEAR_DAYS[daysFromToday(time, new Date(now))];
  return near ?? `on ${shortDate(time)}`;
}

export function reminderText(notification: Notification, now: number): string | undefined {
  const { readAt, startsAt, subject } = notification;
  if (readAt !== null || startsAt === undefined || Date.parse(startsAt) <= now) return undefined;
  return `${isolate(subject.title)} ${startText(startsAt, now)}`;
}

/** The user can no longer open these meetings. */
const KINDS_WITHOUT_MEETING = ['meetings.meeting.cancelled', 'meetings.participant.removed'];

export function notificationPath({
  kind,
  subject: { resource, id, project, place },
}: Notification): string | undefined {
  if (KINDS_WITHOUT_MEETING.includes(kind)) return '/meetings';
  if (kind === SAVE_FAILED) return '/documents';
  if (place) return messagePath({ ...place, root: place.thread });
  if (resource === 'account') return settingsPath('Active sessions');
  if (resource === 'user') return '/user-management';
  if (resource === 'meeting') return `/meetings?meeting=${id}`;
  if (resource === 'document') return `/documents?preview=${id}`;
  if (resource === 'task' && project !== undefined) return `/progress/${project}?task=${id}`;
  if (resource === 'project') return `/progress/${id}`;
  return undefined;
}
