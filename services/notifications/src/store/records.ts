import type { EventOf } from '@atrium/proto-events/event';
import type { documentUpdated } from '@atrium/proto-events/events/documents';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import type { NoticeKind, NoticeReason } from '@atrium/proto-events/notices/kinds';

export type ActivityRecord = {
  _id: string;
  type: string;
  actorId: string | null;
  resource: string;
  subjectId: string;
  title: string;
  requestId: string;
  at: Date;
  details?: Readonly<Record<string, unknown>>;
};

/** Query for all event types that start with `prefix.`: `/` follows `.` in ASCII. */
export const typesWithPrefix = (prefix: string) => ({ $gte: `${prefix}.`, $lt: `${prefix}/` });

/** A notification for one user. The id is derived from event, user, kind, and subject. */
export type NotificationRecord = {
  _id: string;
  personId: string;
  kind: string;
  actorId: string | null;
  resource: string;
  subjectId: string;
  title: string;
  read: boolean;
  readAt: Date | null;
  /** Time of the latest merged event; `startedAt` is the time of the first. */
  createdAt: Date;
  /** When the latest merged event was stored; a focused window that lists notifications later has shown it. */
  recordedAt?: Date;
  /** Of the merged events, so that a redelivery does not count again. */
  eventKeys?: string[];
  /** Of the event that its own email is about; absent after that was withheld because the user saw the notification. */
  emailKey?: string;
  /** Who caused the merged events; `actorId` caused the latest. */
  actorIds?: string[];
  startsAt?: Date;
  isRetracted?: boolean;
  /** Of a task that is due: the start of the day in UTC. */
  dueDate?: Date;
  from?: Date;
  aboutUserId?: string;
  tasks?: UnassignedTasks;
  reason?: string;
  projectId?: string;
  /** Of a shared document: the projects and departments that it was shared with. */
  grantedProjectIds?: string[];
  grantedDepartmentIds?: string[];
  /** Of the first merged comment. */
  commentId?: string;
  /** Of a message; with a thread, the seq is that in it. */
  place?: MessagePlace;
  /** Of the first merged message. */
  messageId?: string;
  /** Of the first merged message. */
  replyTarget?: ReplyTarget;
  /** The beginning of the message, only if pushes and emails may show it. */
  text?: string;
  /** Of the last merged message; it is read with it. */
  lastSeq?: number;
  changed?: string[];
  startedAt?: Date;
  notice?: NoticeRecord;
  /** Until when its push waits, because the user probably looks at the app. */
  pushAt?: Date;
  /** Of the digest that will include it; absent once it has been sent. */
  digestAt?: Date;
};

/** Why and where a user was notified. One that is not shown in the app is recorded for its email. */
export type NoticeRecord = {
  kind: NoticeKind;
  reason: NoticeReason;
  channels: NoticeChannels;
  /** The project, meeting, or series for which the user may have chosen a level. */
  levelId?: string;
};

type NoticeChannels = { app: boolean; push: boolean; email: 'immediate' | 'digest' | null };

/** A digest that is due at a time. Its id is derived from both, and so is that of its email. */
export type DigestRecord = { _id: string; userId: string; at: Date };

/** The readers of a document, besides administrators: everyone, or these users and the members of these departments. */
export type DocumentAudience = EventOf<typeof documentUpdated>['data']['audience'];

/**
 * A message, its text, a comment, or a conversation was deleted or edited; users left a conversation or a project; or the
 * readers of a document were reduced to its audience by a version, or to none. The id begins with that of the event.
 */
export type WithdrawalRecord = {
  _id: string;
  subjectId: string;
  userIds?: string[];
  version?: number;
  audience?: DocumentAudience;
  at: Date;
};

/** When a focused window last showed a user their notifications. The id is that of the user. */
export type VisitRecord = { _id: string; at: Date };

type MessagePlace = { conversation: string; seq: number; thread?: string };

type UnassignedTasks = { titles: string[]; count: number };

/** Part of the calendars of a meeting event, stored until that event has been handled. */
export type CalendarPartRecord = {
  _id: string;
  of: 'calendar' | 'calendarBefore';
  occurrences: CalendarObject['occurrences'];
  excludedStarts: string[];
  at: Date;
};

/**
 * What replies by email are added to, with its id: the RSVPs of a calendar object, the comments of a task, a
 * conversation, or the thread of a message.
 */
export type ReplyTarget = { kind: 'calendar' | 'task' | 'conversation' | 'thread'; id: string };

/** Content of an email, shared by all its recipients. Links are stored sealed. */
export type MailingRecord = {
  _id: string;
  content: unknown;
  replyTo: string | null;
  calendarMethod: string | null;
  calendar: string | null;
  createdAt: Date;
};

/**
 * An email to one recipient. The id is derived from event and recipient, so that a redelivery hits the
 * unique index.
 */
export type EmailRecord = {
  _id: string;
  mailingId: string;
  kind: string;
  /** Id of the invitation, password reset, user, project, task, or meeting that the email is about. */
  about: string;
  requestId: string;
  traceparent?: string;
  /** Emails about one topic to one recipient are sent with increasing delays (`createSendTimes`). */
  topic?: string;
  part?: string;
  occurredAt?: Date;
  /** Changes of earlier emails that were merged into this one, see `replace-email.ts`. */
  replaced?: unknown;
  recipientId: string;
  name: string;
  firstName: string;
  address: string;
  timezone: string;
  state: 'queued' | 'sent' | 'failed' | 'uncertain';
  attempts: number;
  uncertainAttempts?: number;
  nextAttemptAt: Date;
  /** Until when it is postponed by quiet hours or a pause. */
  notBefore?: Date;
  /** Its recipient is no longer invited. */
  isRetracted?: boolean;
  /** Absent for emails that cannot be turned off. */
  notice?: EmailNotice;
  /** Of an email that collects notifications, or is about one; it is withheld if none of them is unread. */
  notificationIds?: string[];
  /** Absent for emails that cannot be replied to. */
  replyTarget?: ReplyTarget;
  settledAt: Date | null;
  lastError: string | null;
  /**
   * Publication of the outcome: `none` while there is no outcome. Uncertain outcomes are published while the email is
   * still queued.
   */
  report: 'none' | 'due' | 'done';
  createdAt: Date;
};

/** The kinds of notification that an email is about, and why they concern the user; null for a digest. */
export type EmailNotice = { kinds: NoticeKind[]; reason: NoticeReason | null; levelId?: string };

/** The process that inserts this record owns the attempt: only inserts are atomic in every MongoDB-compatible store. */
export type ClaimRecord = { _id: string; at: Date };

export type ProjectMembersRecord = { _id: string; name?: string; peopleIds: string[]; version: number };

/** The last restore of this store (docs/self-hosting/backup.md); `cut` is the time of the restored snapshot. */
export type RestoreRecord = { _id: string; at: Date; cut: Date };

export const LAST_RESTORE_ID = 'last';

/** Emails about events before a restore may have been sent already, so they fail without being sent. */
export const suppressedEmail = (now: Date): Pick<EmailRecord, 'state' | 'report' | 'settledAt' | 'lastError'> => ({
  state: 'failed',
  report: 'due',
  settledAt: now,
  lastError: 'Suppressed: the event precedes the last restore, and the email may have been sent before it',
});
