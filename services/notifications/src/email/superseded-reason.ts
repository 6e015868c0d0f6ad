import { accountActivated, invitationCreated, invitationRevoked } from '@atrium/proto-events/events/auth';
import { meetingDue } from '@atrium/proto-events/events/meetings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { filterCurrentMembers, isMeetingCanceled, isProjectDeleted } from '../activity/known-state.ts';
import { awaitsEmail, EMAILABLE_FIELDS } from '../notifications/awaits-email.ts';
import { findEmailed, forgetEmail } from '../notifications/emailed-notification.ts';
import { wantsEmail } from '../notifications/notices.ts';
import { notificationId } from '../notifications/record-notifications.ts';
import { findVisits, wasSeen } from '../notifications/visits.ts';
import type { EmailRecord, MailingRecord, NotificationRecord } from '../store/records.ts';
import { anyOf, type Store } from '../store/store.ts';
import { waitForUser } from '../users/find-users.ts';
import { isTooOld } from './due-emails.ts';
import { toEventId } from './queue-emails.ts';
import { mergeIntoLaterEmail } from './replace-email.ts';
import { type ContentOf, emailContent, isCancellation, type MeetingContent } from './templates/email-content.ts';

const INVITATION_EVENTS = [invitationCreated.type, invitationRevoked.type, accountActivated.type];

type ReasonDeps = { store: Store; directory: Directory };

/**
 * Returns why a queued email must not be sent anymore, as text for the log; undefined if it may be sent. Merges the
 * email into a later one that replaces it.
 */
export async function getSupersededReason(
  { store, directory }: ReasonDeps,
  email: EmailRecord,
  mailing: MailingRecord | null,
): Promise<string | undefined> {
  if (isTooOld(email)) return 'too old';
  if (email.kind === 'invitation') {
    return (await isInvitationSuperseded(store, email)) ? 'link is no longer valid' : undefined;
  }
  const user = await waitForUser(directory, email.recipientId);
  if (user && !isActive(user)) return 'recipient is no longer active';
  if (user && isTurnedOff(user, email)) return 'recipient has turned these emails off';
  if (user && (await isForgone(store, user, email))) return 'notifications were read, seen, or withdrawn';
  const content = emailContent.safeParse(mailing?.content).data;
  if (await mergeIntoLaterEmail(store, email, content)) return 'replaced by a later email';
  switch (content?.template) {
    case 'project':
      return getProjectReason(store, email, content);
    case 'task':
      return getTaskReason(store, email, content);
    case 'meeting-reminder':
      return getReminderReason(store, email, content);
    case 'meeting':
      if (hasEnded(content)) return 'meeting is over';
      if (isCancellation(content.type)) return undefined;
      if (await wasCanceled(store, email, content)) return 'meeting was canceled';
      return getUninvitedReason(store, email, content);
    default:
      return undefined;
  }
}

/** Whether none of the notifications that the email is about, if it is about any, still awaits it. */
async function isForgone(store: Store, user: DirectoryUser, { notificationIds }: EmailRecord): Promise<boolean> {
  if (!notificationIds) return false;
  const visitedAt = (await findVisits(store, [user._id])).get(user._id);
  const filter = { personId: user._id, _id: anyOf(notificationIds) };
  const found = await store.notifications.find(filter, EMAILABLE_FIELDS).lean();
  return !found.some((known) => awaitsEmail(known, { user, visitedAt, now: new Date() }));
}

async function getProjectReason(
  store: Store,
  email: EmailRecord,
  { project }: ContentOf<'project'>,
): Promise<string | undefined> {
  if (await isProjectDeleted(store, project.id)) return 'project was deleted';
  const [member] = await filterCurrentMembers(store, project, [email.recipientId]);
  return member === undefined ? 'recipient is no longer a project member' : undefined;
}

async function getTaskReason(
  store: Store,
  email: EmailRecord,
  { task, notificationKind }: ContentOf<'task'>,
): Promise<string | undefined> {
  const notification = await findEmailed(store, {
    eventId: toEventId(email.mailingId),
    userId: email.recipientId,
    kind: notificationKind,
    subjectId: task.id,
  });
  if (!notification) return 'notification was withdrawn';
  return notification.read ? 'notification was read' : getSeenReason(store, email, notification);
}

/** Of emails that were postponed, because their recipient may have had the app open, or for quiet hours. */
async function getSeenReason(
  store: Store,
  { notBefore }: EmailRecord,
  notification: NotificationRecord,
): Promise<string | undefined> {
  if (!notBefore || !(await wasSeen(store, notification, 'email'))) return undefined;
  return (await forgetEmail(store, notification)) ? 'recipient saw the notification in the app' : undefined;
}

async function getReminderReason(
  store: Store,
  email: EmailRecord,
  content: ContentOf<'meeting-reminder'>,
): Promise<string | undefined> {
  if (hasStarted(content)) return 'meeting has started';
  if (await isReminderRetracted(store, email)) return 'meeting was rescheduled or recipient is no longer invited';
  const reason = await getUninvitedReason(store, email, content);
  if (reason !== undefined) return reason;
  const { mailingId: eventId, recipientId: userId, about: subjectId } = email;
  const notification = await findEmailed(store, { eventId, userId, kind: meetingDue.type, subjectId });
  return notification ? getSeenReason(store, email, notification) : undefined;
}

/**
 * Whether the invitation was resent, revoked, or accepted since. Read from the activity records, which are written
 * before any effect of an event, so the result is independent of pod and delivery order.
 */
async function isInvitationSuperseded({ activities }: Store, email: EmailRecord): Promise<boolean> {
  const invitationEvent = await activities.findById(toEventId(email.mailingId)).lean();
  if (!invitationEvent) return false;
  const relatedEvents = await activities
    .find({ subjectId: invitationEvent.subjectId, type: { $in: INVITATION_EVENTS } })
    .lean();
  // Revoked and accepted invitations are final, regardless of clock differences.
  return relatedEvents.some(({ type, at }) => type !== invitationCreated.type || at > invitationEvent.at);
}

/** By a setting, a link in another email, or the level of a project or meeting. */
const isTurnedOff = (user: DirectoryUser, { notice }: EmailRecord): boolean =>
  notice !== undefined && !notice.kinds.some((kind) => wantsEmail(user, { ...notice, kind }));

/** Also if the recipient gets no email about the cancellation. */
const wasCanceled = (store: Store, { about, createdAt }: EmailRecord, { meeting }: MeetingContent) =>
  isMeetingCanceled(store, {
    occurredAt: createdAt.toISOString(),
    data: {
      meetingId: about,
      calendarId: meeting.calendarId,
      recurrence: meeting.frequency === null ? null : { ...meeting, frequency: meeting.frequency },
    },
  });

const REMINDER_GRACE_MS = 5 * 60_000;

const hasStarted = ({ meeting }: ContentOf<'meeting-reminder'>) =>
  Date.parse(meeting.startTime) + REMINDER_GRACE_MS < Date.now();

/** A series may have future occurrences, and cancellations must reach calendars. */
const hasEnded = ({ meeting }: MeetingContent) =>
  meeting.frequency === null && Date.parse(meeting.endTime) < Date.now();

async function isReminderRetracted({ notifications }: Store, email: EmailRecord): Promise<boolean> {
  const _id = notificationId({
    eventId: email.mailingId,
    userId: email.recipientId,
    kind: meetingDue.type,
    subjectId: email.about,
  });
  return (await notifications.exists({ _id, isRetracted: true })) !== null;
}

async function getUninvitedReason(
  { emails, mailings }: Store,
  email: EmailRecord,
  { meeting }: Pick<MeetingContent | ContentOf<'meeting-reminder'>, 'meeting'>,
): Promise<string | undefined> {
  const { calendarId, recurrenceId } = meeting;
  if (await emails.exists({ _id: email._id, isRetracted: true })) return 'recipient is no longer invited';
  const laterEmails = await emails
    .find({ address: email.address, kind: 'meeting', createdAt: { $gte: email.createdAt } }, { mailingId: 1 })
    .lean();
  const eventId = toEventId(email.mailingId);
  const laterMailingIds = laterEmails.map(({ mailingId }) => mailingId).filter((id) => toEventId(id) !== eventId);
  // Filtered by the database, without reading the contents: after an outage hundreds of emails may be queued.
  const cancellation = await mailings
    .exists({ _id: { $in: laterMailingIds }, calendarMethod: 'CANCEL' })
    .where('content.meeting.calendarId', calendarId)
    .where('content.meeting.recurrenceId', { $in: [null, recurrenceId] });
  return cancellation === null ? undefined : 'recipient is no longer invited';
}
