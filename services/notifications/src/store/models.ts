import { type Connection, Schema } from 'mongoose';
import { createPushModels } from './push-records.ts';
import type {
  ActivityRecord,
  CalendarPartRecord,
  ClaimRecord,
  DigestRecord,
  EmailRecord,
  MailingRecord,
  NotificationRecord,
  ProjectMembersRecord,
  RestoreRecord,
  VisitRecord,
  WithdrawalRecord,
} from './records.ts';

const text = { type: String, required: true } as const;
const emptyText = { type: String, default: '' } as const;
const nullableText = { type: String, default: null } as const;
const count = { type: Number, required: true } as const;
const timestamp = { type: Date, required: true } as const;
const nullableTimestamp = { type: Date, default: null } as const;

const options = (collection: string) => ({ collection, versionKey: false, autoIndex: false, minimize: false }) as const;

const subject = { resource: text, subjectId: text, title: emptyText, actorId: nullableText };

const activity = new Schema<ActivityRecord>(
  {
    _id: text,
    type: text,
    ...subject,
    subjectId: emptyText,
    requestId: text,
    at: timestamp,
    details: { type: Schema.Types.Mixed },
  },
  options('activities'),
);

const notification = new Schema<NotificationRecord>(
  {
    _id: text,
    personId: text,
    kind: text,
    ...subject,
    read: { type: Boolean, required: true },
    readAt: nullableTimestamp,
    createdAt: timestamp,
    startsAt: { type: Date },
    isRetracted: { type: Boolean },
    dueDate: { type: Date },
    from: { type: Date },
    aboutUserId: { type: String },
    tasks: { type: Schema.Types.Mixed },
    reason: { type: String },
    projectId: { type: String },
    grantedProjectIds: { type: [String], default: undefined },
    grantedDepartmentIds: { type: [String], default: undefined },
    commentId: { type: String },
    place: { type: Schema.Types.Mixed },
    messageId: { type: String },
    replyTarget: { type: Schema.Types.Mixed },
    text: { type: String },
    lastSeq: { type: Number },
    changed: { type: [String], default: undefined },
    startedAt: { type: Date },
    recordedAt: { type: Date },
    eventKeys: { type: [String], default: undefined },
    emailKey: { type: String },
    actorIds: { type: [String], default: undefined },
    notice: { type: Schema.Types.Mixed },
    pushAt: { type: Date },
    digestAt: { type: Date },
  },
  options('notifications'),
);

const mailing = new Schema<MailingRecord>(
  {
    _id: text,
    content: { type: Schema.Types.Mixed, required: true },
    replyTo: nullableText,
    calendarMethod: nullableText,
    calendar: nullableText,
    createdAt: timestamp,
  },
  options('mailings'),
);

const email = new Schema<EmailRecord>(
  {
    _id: text,
    mailingId: text,
    kind: text,
    about: text,
    requestId: text,
    traceparent: { type: String },
    topic: { type: String },
    part: { type: String },
    occurredAt: { type: Date },
    replaced: { type: Schema.Types.Mixed },
    recipientId: text,
    name: emptyText,
    address: { type: String, default: '' },
    firstName: emptyText,
    timezone: text,
    state: { ...text, enum: ['queued', 'sent', 'failed', 'uncertain'] },
    attempts: count,
    uncertainAttempts: { type: Number },
    nextAttemptAt: timestamp,
    notBefore: { type: Date },
    isRetracted: { type: Boolean },
    notice: { type: Schema.Types.Mixed },
    notificationIds: { type: [String], default: undefined },
    replyTarget: { type: Schema.Types.Mixed },
    settledAt: nullableTimestamp,
    lastError: nullableText,
    report: { ...text, enum: ['none', 'due', 'done'] },
    createdAt: timestamp,
  },
  options('mails'),
);

const digest = new Schema<DigestRecord>({ _id: text, userId: text, at: timestamp }, options('digests'));

const visit = new Schema<VisitRecord>({ _id: text, at: timestamp }, options('visits'));

const withdrawal = new Schema<WithdrawalRecord>(
  {
    _id: text,
    subjectId: text,
    userIds: { type: [String], default: undefined },
    version: { type: Number },
    audience: { type: Schema.Types.Mixed },
    at: timestamp,
  },
  options('withdrawals'),
);

const claim = new Schema<ClaimRecord>({ _id: text, at: timestamp }, options('claims'));

const projectMembers = new Schema<ProjectMembersRecord>(
  { _id: text, name: { type: String }, peopleIds: { type: [String], required: true }, version: count },
  options('project_people'),
);

const calendarPart = new Schema<CalendarPartRecord>(
  {
    _id: text,
    of: text,
    occurrences: { type: Schema.Types.Mixed, required: true },
    excludedStarts: { type: [String], required: true },
    at: timestamp,
  },
  options('calendar_parts'),
);

const restore = new Schema<RestoreRecord>({ _id: text, at: timestamp, cut: timestamp }, options('restores'));

export function createModels(connection: Connection) {
  return {
    ...createPushModels(connection),
    activities: connection.model<ActivityRecord>('activity', activity),
    notifications: connection.model<NotificationRecord>('notification', notification),
    mailings: connection.model<MailingRecord>('mailing', mailing),
    emails: connection.model<EmailRecord>('mail', email),
    digests: connection.model<DigestRecord>('digest', digest),
    visits: connection.model<VisitRecord>('visit', visit),
    withdrawals: connection.model<WithdrawalRecord>('withdrawal', withdrawal),
    claims: connection.model<ClaimRecord>('claim', claim),
    projectMembers: connection.model<ProjectMembersRecord>('project-members', projectMembers),
    calendarParts: connection.model<CalendarPartRecord>('calendar-part', calendarPart),
    restores: connection.model<RestoreRecord>('restore', restore),
  };
}

export type Models = ReturnType<typeof createModels>;
