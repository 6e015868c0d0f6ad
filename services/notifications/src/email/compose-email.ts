import { withReplyAddress } from '@atrium/calendar/calendar-reply';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import type { SendMailOptions } from 'nodemailer';
import type { Replies } from '../replies/read-reply-email.ts';
import { replyAddress } from '../replies/reply-address.ts';
import type { EmailRecord, MailingRecord } from '../store/records.ts';
import { UnsendableEmailError } from './delivery-failure.ts';
import { type EmailContent, emailContent } from './email-content.ts';
import { openLink } from './open-link.ts';
import { withReplaced } from './replace-email.ts';
import { adminGrantedEmail } from './templates/admin-granted.ts';
import { renderEmailHtml } from './templates/email-html.ts';
import type { EmailLayout } from './templates/email-layout.ts';
import { renderEmailText } from './templates/email-text.ts';
import { feedCreatedEmail } from './templates/feed-created.ts';
import { invitationEmail } from './templates/invitation.ts';
import { meetingEmail } from './templates/meeting.ts';
import { meetingReminderEmail } from './templates/meeting-reminder.ts';
import { newDeviceEmail } from './templates/new-device.ts';
import { passwordChangedEmail } from './templates/password-changed.ts';
import { passwordResetEmail } from './templates/password-reset.ts';
import { projectAddedEmail } from './templates/project-added.ts';
import { resetLinkCreatedEmail } from './templates/reset-link-created.ts';
import { taskEmail } from './templates/task.ts';

export type EmailSettings = {
  workspace: string;
  publicUrl: string;
  domain: string;
  sealingKeys: readonly Uint8Array[];
  /** Where calendar apps send replies; the organizer if unset. */
  replies?: Replies | undefined;
};

/** Renders an email: text, HTML, and, for meetings, the calendar as an alternative and as an attachment. */
export async function composeEmail(
  mail: EmailRecord,
  mailing: MailingRecord | null,
  setting: EmailSettings,
): Promise<SendMailOptions & { messageId: string }> {
  const content = emailContent.safeParse(mailing?.content);
  if (!mailing || !content.success) throw new UnsendableEmailError('Email content is missing');
  const merged = content.data.template === 'meeting' ? withReplaced(content.data, mail.replaced) : content.data;
  const layout = await toLayout(merged, mail, setting);
  return {
    to: { name: normalizeName(mail.name), address: mail.address },
    ...(mailing.replyTo && { replyTo: mailing.replyTo }),
    // Stable across attempts, so that a mail server can detect duplicates.
    messageId: `<${mail._id.replaceAll(':', '.')}@${setting.domain}>`,
    subject: layout.subject,
    text: renderEmailText(layout, setting),
    html: renderEmailHtml(layout, setting),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    ...(mailing.calendar && {
      icalEvent: {
        method: mailing.calendarMethod ?? 'REQUEST',
        filename: 'invite.ics',
        content: withRecipientReplyAddress(mailing.calendar, { mail, content: content.data, setting }),
      },
    }),
  };
}

type CalendarParams = { mail: EmailRecord; content: EmailContent; setting: EmailSettings };

/** Sets the recipient's own reply address if replies are read. */
function withRecipientReplyAddress(calendar: string, { mail, content, setting: { replies } }: CalendarParams): string {
  const [userId = '', calendarId] = [
    mail._id.split(':').at(-1),
    content.template === 'meeting' && content.meeting.calendarId,
  ];
  const [key] = replies?.keys ?? [];
  if (!replies || !key || !calendarId) return calendar;
  return withReplyAddress(calendar, replyAddress(replies.address, key, { userId, calendarId }));
}

async function toLayout(content: EmailContent, mail: EmailRecord, setting: EmailSettings): Promise<EmailLayout> {
  const { workspace, publicUrl } = setting;
  switch (content.template) {
    case 'invitation': {
      const link = await openLiveLink(content, setting);
      return invitationEmail({ ...content, ...addressee(mail), link, workspace });
    }
    case 'password-reset': {
      const link = await openLiveLink(content, setting);
      const { firstName, timezone } = addressee(mail);
      return passwordResetEmail({
        firstName,
        expiresAt: content.expiresAt,
        timezone,
        link,
        workspace,
      });
    }
    case 'password-changed':
      return passwordChangedEmail({ ...content, ...addressee(mail), workspace, url: `${publicUrl}/forgot-password` });
    case 'new-device':
      return newDeviceEmail({ ...content, ...addressee(mail), workspace, url: `${publicUrl}/settings` });
    case 'feed-created':
      return feedCreatedEmail({ ...content, ...addressee(mail), workspace, url: `${publicUrl}/settings` });
    case 'reset-link-made':
      return resetLinkCreatedEmail({ ...content, ...addressee(mail), workspace });
    case 'administrator-made':
      return adminGrantedEmail({
        ...content,
        ...addressee(mail),
        workspace,
        url: `${publicUrl}/user-management`,
      });
    case 'project': {
      const { actor, asManager, project } = content;
      return projectAddedEmail({
        actor,
        asManager,
        projectName: project.name,
        url: `${publicUrl}/progress/${project.id}`,
      });
    }
    case 'task': {
      const { projectId, id } = content.task;
      return taskEmail({ content, url: `${publicUrl}/progress/${projectId}?task=${id}` });
    }
    case 'meeting':
      return meetingEmail({
        content,
        timezone: mail.timezone,
        url: `${publicUrl}/meetings`,
        meetingId: mail.about,
      });
    case 'meeting-reminder':
      return meetingReminderEmail({ content, timezone: mail.timezone, url: `${publicUrl}/meetings` });
  }
}

async function openLiveLink(
  content: { sealedUrl: string; expiresAt: string },
  setting: EmailSettings,
): Promise<string> {
  if (Date.parse(content.expiresAt) <= Date.now()) throw new UnsendableEmailError('Link has expired');
  return openLink(content.sealedUrl, setting.sealingKeys);
}

const addressee = (mail: EmailRecord) => ({
  firstName: normalizeName(mail.firstName),
  timezone: mail.timezone,
});
