import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';

/** An event, recorded once and never changed. The id is the event id. */
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

/** All event types that start with `prefix.`: `/` follows `.` in ASCII. */
export const typesOf = (prefix: string) => ({ $gte: `${prefix}.`, $lt: `${prefix}/` });

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
  createdAt: Date;
  /** Start of the meeting, for reminders. */
  startsAt?: Date;
  /** Set if the start time no longer applies to the user. */
  isRetracted?: boolean;
  /** First occurrence that is cancelled or no longer visible to the user. */
  from?: Date;
  /** The user who joined or left a project. */
  aboutUserId?: string;
  /** Tasks left unassigned by a departed user. */
  tasks?: UnassignedTasks;
  /** Failure reason, as a sentence. */
  reason?: string;
  projectId?: string;
  changed?: string[];
  /** Time of the first merged event; `createdAt` is the time of the latest. */
  startedAt?: Date;
};

/** The first titles and the total count. */
export type UnassignedTasks = { titles: string[]; count: number };

/** Part of the calendars of a meeting event, stored until that event has been handled. */
export type CalendarPartRecord = {
  _id: string;
  of: 'calendar' | 'calendarBefore';
  occurrences: CalendarObject['occurrences'];
  excludedStarts: string[];
  at: Date;
};

/** Content of an email, shared by all its recipients. Links are stored sealed. */
export type MailingRecord = {
  _id: string;
  content: unknown;
  replyTo: string | null;
  calendarMethod: string | null;
  calendar: string | null;
  createdAt: Date;
};

/** An email to one recipient: the outbox. The id is derived from event and recipient, so that a redelivery hits the unique index. */
export type EmailRecord = {
  _id: string;
  mailingId: string;
  kind: string;
  about: string;
  requestId: string;
  traceparent?: string;
  /** Emails about one topic to one recipient are sent with increasing delays (`sendTimes`). */
  topic?: string;
  /** A later email about the same part replaces this one. */
  part?: string;
  /** Time of the event. */
  occurredAt?: Date;
  /** Changes of replaced emails, see `replace-email.ts`. */
  replaced?: unknown;
  recipientId: string;
  /** Cleared, like the address, when the user is deleted. */
  name: string;
  firstName: string;
  address: string;
  timezone: string;
  state: 'queued' | 'sent' | 'failed' | 'uncertain';
  attempts: number;
  /** Number of attempts after which the mail server did not confirm or reject the email. */
  uncertainAttempts?: number;
  nextAttemptAt: Date;
  settledAt: Date | null;
  lastError: string | null;
  /** Publication of the outcome: `none` while there is no outcome. Uncertain outcomes are published while the email is still queued. */
  report: 'none' | 'due' | 'done';
  createdAt: Date;
};

/** The process that inserts this record owns the attempt: only inserts are atomic in every MongoDB-compatible store. */
export type ClaimRecord = { _id: string; at: Date };

/** Name and members of a project in its latest known version, to detect new members. */
export type ProjectPeopleRecord = { _id: string; name?: string; peopleIds: string[]; version: number };

/** The last restore of this store (docs/self-hosting/backup.md); `cut` is the time of the restored snapshot. */
export type RestoreRecord = { _id: string; at: Date; cut: Date };

/** Id of the record of the last restore. */
export const LAST_RESTORE_ID = 'last';

/** Emails about events before a restore may have been sent already, so they fail without being sent. */
export const suppressedEmail = (now: Date): Pick<EmailRecord, 'state' | 'report' | 'settledAt' | 'lastError'> => ({
  state: 'failed',
  report: 'due',
  settledAt: now,
  lastError: 'Suppressed: the event precedes the last restore, and the email may have been sent before it',
});
