import { withReplyAddress } from '@atrium/calendar/calendar-reply';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { compactDecrypt } from 'jose';
import type { SendMailOptions } from 'nodemailer';
import type { Replies } from '../replies/read-reply-email.ts';
import { replyAddress } from '../replies/reply-address.ts';
import type { EmailRecord, MailingRecord } from '../store/records.ts';
import { UnsendableEmailError } from './delivery-failure.ts';
import { withReplaced } from './replace-email.ts';
import {
  adminGrantedEmail,
  feedCreatedEmail,
  invitationEmail,
  newDeviceEmail,
  passwordChangedEmail,
  passwordResetEmail,
  resetLinkCreatedEmail,
} from './templates/account-emails.ts';
import { type EmailContent, emailContent } from './templates/email-content.ts';
import { meetingEmail, meetingReminderEmail } from './templates/meeting-emails.ts';
import { projectAddedEmail, taskEmail } from './templates/project-emails.ts';
import { type EmailLayout, renderEmailHtml, renderEmailText } from './templates/render-email.ts';

const OPTIONS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Opens a link sealed by the auth service with one of the keys (compact JWE, direct key, A256GCM). */
async function openLink(sealed: string, keys: readonly Uint8Array[]): Promise<string> {
  const opening = Promise.any(keys.map((key) => compactDecrypt(sealed, key, OPTIONS)));
  const { plaintext } = await opening.catch((cause: unknown) => {
    throw new UnsendableEmailError(
      'Failed to open sealed link. Check that auth and notifications use the same LINK_SEALING_KEY.',
      {
        cause,
      },
    );
  });
  const link = new TextDecoder().decode(plaintext);
  if (!URL.canParse(link)) throw new UnsendableEmailError('Sealed value is not a URL');
  return link;
}

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
  email: EmailRecord,
  mailing: MailingRecord | null,
  settings: EmailSettings,
): Promise<SendMailOptions & { messageId: string }> {
  const content = emailContent.safeParse(mailing?.content);
  if (!mailing || !content.success) throw new UnsendableEmailError('Email content is missing');
  const merged = content.data.template === 'meeting' ? withReplaced(content.data, email.replaced) : content.data;
  const layout = await toLayout(merged, email, settings);
  return {
    to: { name: normalizeName(email.name), address: email.address },
    ...(mailing.replyTo && { replyTo: mailing.replyTo }),
    // Stable across attempts, so that a mail server can detect duplicates.
    messageId: `<${email._id.replaceAll(':', '.')}@${settings.domain}>`,
    subject: layout.subject,
    text: renderEmailText(layout, settings),
    html: renderEmailHtml(layout, settings),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    ...(mailing.calendar && {
      icalEvent: {
        method: mailing.calendarMethod ?? 'REQUEST',
        filename: 'invite.ics',
        content: withRecipientReplyAddress(mailing.calendar, { email, content: content.data, settings }),
      },
    }),
  };
}

type CalendarParams = { email: EmailRecord; content: EmailContent; settings: EmailSettings };

/** Sets the recipient's own reply address if replies are read. */
function withRecipientReplyAddress(
  calendar: string,
  { email, content, settings: { replies } }: CalendarParams,
): string {
  const [userId = '', calendarId] = [
    email._id.split(':').at(-1),
    content.template === 'meeting' && content.meeting.calendarId,
  ];
  const [key] = replies?.keys ?? [];
  if (!replies || !key || !calendarId) return calendar;
  return withReplyAddress(calendar, replyAddress(replies.address, key, { userId, calendarId }));
}

async function toLayout(content: EmailContent, email: EmailRecord, settings: EmailSettings): Promise<EmailLayout> {
  const { workspace, publicUrl } = settings;
  switch (content.template) {
    case 'invitation': {
      const link = await openLiveLink(content, settings);
      return invitationEmail({ ...content, ...addressee(email), link, workspace });
    }
    case 'password-reset': {
      const link = await openLiveLink(content, settings);
      const { firstName, timezone } = addressee(email);
      return passwordResetEmail({
        firstName,
        expiresAt: content.expiresAt,
        timezone,
        link,
        workspace,
      });
    }
    case 'password-changed':
      return passwordChangedEmail({ ...content, ...addressee(email), workspace, url: `${publicUrl}/forgot-password` });
    case 'new-device':
      return newDeviceEmail({ ...content, ...addressee(email), workspace, url: `${publicUrl}/settings` });
    case 'feed-created':
      return feedCreatedEmail({ ...content, ...addressee(email), workspace, url: `${publicUrl}/settings` });
    case 'reset-link-made':
      return resetLinkCreatedEmail({ ...content, ...addressee(email), workspace });
    case 'administrator-made':
      return adminGrantedEmail({
        ...content,
        ...addressee(email),
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
        timezone: email.timezone,
        url: `${publicUrl}/meetings`,
        meetingId: email.about,
      });
    case 'meeting-reminder':
      return meetingReminderEmail({ content, timezone: email.timezone, url: `${publicUrl}/meetings` });
  }
}

async function openLiveLink(
  content: { sealedUrl: string; expiresAt: string },
  settings: EmailSettings,
): Promise<string> {
  if (Date.parse(content.expiresAt) <= Date.now()) throw new UnsendableEmailError('Link has expired');
  return openLink(content.sealedUrl, settings.sealingKeys);
}

const addressee = (email: EmailRecord) => ({
  firstName: normalizeName(email.firstName),
  timezone: email.timezone,
});
