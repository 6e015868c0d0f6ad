import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';

/** What happened, once for each event and never changed: the record of activity and audit. The id is the event's. */
export type ActivityRecord = {
  _id: string;
  type: string;
  actorId: string | null;
  resource: string;
  subjectId: string;
  title: string;
  requestId: string;
  at: Date;
  /** Of some: what changed, or who was refused what and from where. */
  details?: Readonly<Record<string, unknown>>;
};

/** Something that concerns one person; the id is made from the event, the person, the kind, and the subject. */
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
  /** Of a reminder: when the meeting begins. */
  startsAt?: Date;
  /** Set where that start does not hold for them any more. */
  isOvertaken?: boolean;
  /** From which start on the dates of a series are cancelled, or not theirs any more. */
  from?: Date;
  /** The user who joined or left a project. */
  aboutUserId?: string;
  /** Tasks that are unassigned because their assignee left. */
  tasks?: UnassignedTasks;
  /** Why something failed, as a sentence. */
  reason?: string;
  /** Of a task: its project. */
  projectId?: string;
  /** Of a task: which of its fields were changed. */
  changed?: string[];
  /** When the first of the events happened that are this notification; `createdAt` is when the latest did. */
  startedAt?: Date;
};

/** The first titles, and how many tasks there are. */
export type UnassignedTasks = { titles: string[]; count: number };

/** A part of the calendars of an event about a meeting, kept until that event has surely been handled. */
export type CalendarPartRecord = {
  _id: string;
  of: 'calendar' | 'calendarBefore';
  occurrences: CalendarObject['occurrences'];
  excludedStarts: string[];
  at: Date;
};

/** What a mail says, kept once for all who receive it. Links stay sealed in here. */
export type MailingRecord = {
  _id: string;
  content: unknown;
  replyTo: string | null;
  calendarMethod: string | null;
  calendar: string | null;
  createdAt: Date;
};

/** One mail to one person: the outbox. The id is made from the event and the recipient, so that a repeat meets the unique index. */
export type MailRecord = {
  _id: string;
  mailingId: string;
  kind: string;
  about: string;
  requestId: string;
  /** What it belongs to, where traces are sent. */
  traceparent?: string;
  /** What it is about, of which the recipient gets no rapid succession of emails; see `sendTimes`. */
  topic?: string;
  /** Which part of its topic it describes in full: a later email about the same part replaces it. */
  part?: string;
  /** When its event happened. */
  occurredAt?: Date;
  /** What the emails that it replaces were to say, see `replace-mail.ts`. */
  replaced?: unknown;
  /** The user to whom it goes. */
  recipientId: string;
  /** Empty, as the address, once that user was deleted. */
  name: string;
  /** By which the email greets. */
  firstName: string;
  address: string;
  timezone: string;
  state: 'queued' | 'sent' | 'failed' | 'uncertain';
  attempts: number;
  /** After how many of them the mail server did not say whether it had accepted the email. */
  uncertainAttempts?: number;
  nextAttemptAt: Date;
  settledAt: Date | null;
  lastError: string | null;
  /** Whether the outcome has been published: `none` while there is none. One that is uncertain is published while the email is queued. */
  report: 'none' | 'due' | 'done';
  createdAt: Date;
};

/** One attempt at one mail belongs to whoever inserts this: the one write that is atomic in every store that speaks the protocol. */
export type ClaimRecord = { _id: string; at: Date };

/** The name and the people of a project as far as its events have been seen, to tell who is new. */
export type ProjectPeopleRecord = { _id: string; name?: string; peopleIds: string[]; version: number };

/** When this store was last filled from a backup (docs/self-hosting/backup.md); `cut` is the moment whose state that has. */
export type RestoreRecord = { _id: string; at: Date; cut: Date };
