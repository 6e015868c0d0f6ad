import { accountActivated, invitationCreated, invitationRevoked } from '@atrium/proto-events/events/auth';
import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { notificationId } from '../notifications/record-notifications.ts';
import { filterCurrentMembers, isDeleted } from '../projects/current-members.ts';
import type { MailingRecord, MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { isTooOld } from './due-emails.ts';
import { causeOf } from './mail-cause.ts';
import {
  type MeetingContent,
  mailContent,
  type ProjectContent,
  type ReminderContent,
  type TaskContent,
} from './mail-content.ts';
import { isReplaced } from './replace-mail.ts';

const CONCERNING = [invitationCreated.type, invitationRevoked.type, accountActivated.type];
const SETTLE_MS = 2_000;

type Sources = { store: Store; directory: Directory };

/** Why a mail that waited must not leave any more, in words for the log; undefined where it may. */
export async function supersededReason(
  { store, directory }: Sources,
  mail: MailRecord,
  mailing: MailingRecord | null,
): Promise<string | undefined> {
  if (isTooOld(mail)) return 'it has waited for too long';
  if (mail.kind === 'invitation') {
    return (await leadsNowhere(store, mail)) ? 'its link leads nowhere any more' : undefined;
  }
  if (await hasLeft(directory, recipientOf(mail))) return 'its recipient has left';
  const content = mailContent.safeParse(mailing?.content).data;
  if (await isReplaced(store, mail, content)) return 'a later email replaces it';
  switch (content?.template) {
    case 'project':
      return whyNotAdded(store, mail, content);
    case 'task':
      return whyNoTaskEmail(store, mail, content);
    case 'meeting-reminder':
      return whyNotToRemind(store, mail, content);
    case 'meeting':
      if (isOver(content)) return 'its meeting is over';
      return isCancellation(content) ? undefined : whyNotInvited(store, mail, content);
    default:
      return undefined;
  }
}

async function whyNotAdded(store: Store, mail: MailRecord, { project }: ProjectContent): Promise<string | undefined> {
  if (await isDeleted(store, project.id)) return 'its project was deleted';
  const [stillIn] = await filterCurrentMembers(store, project, [recipientOf(mail)]);
  return stillIn === undefined ? 'its recipient is not in the project any more' : undefined;
}

/** What somebody has read in the app, or what was withdrawn there, is not emailed any more. */
async function whyNoTaskEmail(
  { notifications }: Store,
  mail: MailRecord,
  { task, notificationKind }: TaskContent,
): Promise<string | undefined> {
  const _id = notificationId({
    ...{ eventId: causeOf(mail.mailingId), personId: recipientOf(mail) },
    ...{ kind: notificationKind, subjectId: task.id },
  });
  const notification = await notifications.findById(_id).lean();
  if (!notification) return 'its notification was withdrawn';
  return notification.read ? 'its recipient has read the notification' : undefined;
}

async function whyNotToRemind(store: Store, mail: MailRecord, content: ReminderContent): Promise<string | undefined> {
  if (hasBegun(content)) return 'its meeting has begun';
  if (await isTakenBack(store, mail)) return 'its meeting begins at another time, or is not its recipient’s any more';
  return whyNotInvited(store, mail, content);
}

/**
 * Whether the link of an invitation's mail leads nowhere by now: it was sent again, taken back or accepted. Asked of the record of what
 * happened, which has an event before anything follows from it; so it holds for every pod and whenever, and how often, an event comes.
 */
async function leadsNowhere({ activities }: Store, mail: MailRecord): Promise<boolean> {
  const invited = await activities.findById(causeOf(mail.mailingId)).lean();
  if (!invited) return false;
  const known = await activities.find({ subjectId: invited.subjectId, type: { $in: CONCERNING } }).lean();
  // Taken back or accepted it never comes again, whatever the clocks say.
  return known.some(({ type, at }) => type !== invitationCreated.type || at > invited.at);
}

/** The id of a mail ends in its recipient's, see `queueMails`. */
const recipientOf = ({ _id }: MailRecord) => _id.slice(_id.lastIndexOf(':') + 1);

/** Somebody whom the directory does not know yet, as this process has only begun, is waited for a moment. */
async function hasLeft(directory: Directory, id: string): Promise<boolean> {
  await directory.whenUser(id, (user) => user !== undefined, SETTLE_MS);
  const user = directory.user(id);
  return user !== undefined && !isActive(user);
}

/** A reminder that leaves later than this after the start helps nobody. */
const BEGUN_MS = 5 * 60_000;

const hasBegun = ({ meeting }: ReminderContent) => Date.parse(meeting.startTime) + BEGUN_MS < Date.now();

/** Of a series some meeting may be to come, and what has ended of it has to leave calendars. */
const isOver = ({ meeting }: MeetingContent) => meeting.frequency === null && Date.parse(meeting.endTime) < Date.now();

/** Whether the notification beside the email of a reminder was marked by `takeBackReminders`. */
async function isTakenBack({ notifications }: Store, mail: MailRecord): Promise<boolean> {
  const _id = notificationId({
    eventId: mail.mailingId,
    personId: recipientOf(mail),
    kind: meetingDue.type,
    subjectId: mail.about,
  });
  return (await notifications.exists({ _id, isOvertaken: true })) !== null;
}

const isCancellation = ({ news }: MeetingContent) => news === 'removed' || news === 'cancelled';

/** Whether a mail queued later takes the same person out of the meeting, or out of the series that it belongs to. */
async function whyNotInvited(
  { mails, mailings }: Store,
  mail: MailRecord,
  { meeting }: Pick<MeetingContent | ReminderContent, 'meeting'>,
): Promise<string | undefined> {
  const { calendarId, recurrenceId } = meeting;
  const later = await mails
    .find({ address: mail.address, kind: 'meeting', createdAt: { $gte: mail.createdAt } }, { mailingId: 1 })
    .lean();
  const cause = causeOf(mail.mailingId);
  const ids = later.map(({ mailingId }) => mailingId).filter((id) => causeOf(id) !== cause);
  // The query chooses, and no words are read: after an outage hundreds wait, and each looks at all behind it.
  const farewell = await mailings
    .exists({ _id: { $in: ids }, calendarMethod: 'CANCEL' })
    .where('content.meeting.calendarId', calendarId)
    .where('content.meeting.recurrenceId', { $in: [null, recurrenceId] });
  return farewell === null ? undefined : 'its recipient is not invited any more';
}
