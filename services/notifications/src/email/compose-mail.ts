import { withReplyAddress } from '@atrium/calendar/calendar-reply';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import type { SendMailOptions } from 'nodemailer';
import type { Replies } from '../replies/read-reply-mail.ts';
import { replyAddress } from '../replies/reply-address.ts';
import type { MailingRecord, MailRecord } from '../store/records.ts';
import { type MailContent, mailContent } from './mail-content.ts';
import { UnsendableMail } from './mail-failure.ts';
import { openLink } from './open-link.ts';
import { withReplaced } from './replace-mail.ts';
import { administratorMadeLetter } from './templates/administrator-made.ts';
import { renderEmailHtml } from './templates/email-html.ts';
import type { EmailLayout } from './templates/email-layout.ts';
import { letterText } from './templates/email-text.ts';
import { feedCreatedLetter } from './templates/feed-created.ts';
import { invitationLetter } from './templates/invitation.ts';
import { meetingLetter } from './templates/meeting.ts';
import { meetingReminderLetter } from './templates/meeting-reminder.ts';
import { newDeviceLetter } from './templates/new-device.ts';
import { passwordChangedLetter } from './templates/password-changed.ts';
import { passwordResetLetter } from './templates/password-reset.ts';
import { projectAddedLetter } from './templates/project-added.ts';
import { resetLinkMadeLetter } from './templates/reset-link-made.ts';
import { taskLetter } from './templates/task.ts';

/** The workspace as mails name it, and the keys of sealed links. */
export type MailSetting = {
  workspace: string;
  publicUrl: string;
  domain: string;
  sealingKeys: readonly Uint8Array[];
  /** Where calendar programs send answers; to the organiser where nothing is set. */
  replies?: Replies | undefined;
};

/** Turns a mail of the outbox into words: text, HTML and, for a meeting, the calendar part as alternative and attachment. */
export async function composeMail(
  mail: MailRecord,
  mailing: MailingRecord | null,
  setting: MailSetting,
): Promise<SendMailOptions & { messageId: string }> {
  const content = mailContent.safeParse(mailing?.content);
  if (!mailing || !content.success) throw new UnsendableMail('what the mail says is missing');
  const merged = content.data.template === 'meeting' ? withReplaced(content.data, mail.replaced) : content.data;
  const letter = await toLetter(merged, mail, setting);
  return {
    to: { name: normalizeName(mail.name), address: mail.address },
    ...(mailing.replyTo && { replyTo: mailing.replyTo }),
    // The same at every attempt, so that a mail server that got it twice can tell.
    messageId: `<${mail._id.replaceAll(':', '.')}@${setting.domain}>`,
    subject: letter.subject,
    text: letterText(letter, setting),
    html: renderEmailHtml(letter, setting),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    ...(mailing.calendar && {
      icalEvent: {
        method: mailing.calendarMethod ?? 'REQUEST',
        filename: 'invite.ics',
        content: calendarFor(mailing.calendar, { mail, content: content.data, setting }),
      },
    }),
  };
}

type For = { mail: MailRecord; content: MailContent; setting: MailSetting };

/** With the address of this one recipient's answers, where such are read. */
function calendarFor(calendar: string, { mail, content, setting: { replies } }: For): string {
  const [userId = '', calendarId] = [
    mail._id.split(':').at(-1),
    content.template === 'meeting' && content.meeting.calendarId,
  ];
  const [key] = replies?.keys ?? [];
  if (!replies || !key || !calendarId) return calendar;
  return withReplyAddress(calendar, replyAddress(replies.address, key, { userId, calendarId }));
}

async function toLetter(content: MailContent, mail: MailRecord, setting: MailSetting): Promise<EmailLayout> {
  const { workspace, publicUrl } = setting;
  switch (content.template) {
    case 'invitation': {
      const link = await openLiveLink(content, setting);
      return invitationLetter({ ...content, ...addressee(mail), link, workspace });
    }
    case 'password-reset': {
      const link = await openLiveLink(content, setting);
      const { firstName, timezone } = addressee(mail);
      return passwordResetLetter({
        firstName,
        expiresAt: content.expiresAt,
        timezone,
        link,
        workspace,
      });
    }
    case 'password-changed':
      return passwordChangedLetter({ ...content, ...addressee(mail), workspace, url: `${publicUrl}/forgot-password` });
    case 'new-device':
      return newDeviceLetter({ ...content, ...addressee(mail), workspace, url: `${publicUrl}/settings` });
    case 'feed-created':
      return feedCreatedLetter({ ...content, ...addressee(mail), workspace, url: `${publicUrl}/settings` });
    case 'reset-link-made':
      return resetLinkMadeLetter({ ...content, ...addressee(mail), workspace });
    case 'administrator-made':
      return administratorMadeLetter({
        ...content,
        ...addressee(mail),
        workspace,
        url: `${publicUrl}/user-management`,
      });
    case 'project': {
      const { actor, asManager, project } = content;
      return projectAddedLetter({
        actor,
        asManager,
        projectName: project.name,
        url: `${publicUrl}/progress/${project.id}`,
      });
    }
    case 'task': {
      const { projectId, id } = content.task;
      return taskLetter({ content, url: `${publicUrl}/progress/${projectId}?task=${id}` });
    }
    case 'meeting':
      return meetingLetter({
        content,
        timezone: mail.timezone,
        url: `${publicUrl}/meetings`,
        meetingId: mail.about,
      });
    case 'meeting-reminder':
      return meetingReminderLetter({ content, timezone: mail.timezone, url: `${publicUrl}/meetings` });
  }
}

/** A link that has run out would only disappoint. */
async function openLiveLink(content: { sealedUrl: string; expiresAt: string }, setting: MailSetting): Promise<string> {
  if (Date.parse(content.expiresAt) <= Date.now()) throw new UnsendableMail('its link has run out');
  return openLink(content.sealedUrl, setting.sealingKeys);
}

const addressee = (mail: MailRecord) => ({
  firstName: normalizeName(mail.firstName),
  timezone: mail.timezone,
});
