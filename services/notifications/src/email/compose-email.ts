import { withReplyAddress } from '@atrium/calendar/calendar-reply';
import { isolate } from '@atrium/proto-events/text/isolate';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { compactDecrypt } from 'jose';
import type { SendMailOptions } from 'nodemailer';
import type { Replies } from '../replies/read-reply-email.ts';
import { replyAddress } from '../replies/reply-address.ts';
import type { EmailRecord, MailingRecord } from '../store/records.ts';
import { UnsendableEmailError } from './delivery-failure.ts';
import { mergeSupersededChanges } from './replace-email.ts';
import {
  adminGrantedEmail,
  feedCreatedEmail,
  invitationEmail,
  newDeviceEmail,
  passwordChangedEmail,
  passwordResetEmail,
  resetLinkCreatedEmail,
} from './templates/account-emails.ts';
import { digestEmail } from './templates/digest-email.ts';
import { type EmailContent, emailContent } from './templates/email-content.ts';
import { meetingEmail, meetingReminderEmail } from './templates/meeting-emails.ts';
import { projectAddedEmail, taskEmail } from './templates/project-emails.ts';
import { type EmailLayout, renderEmailHtml, renderEmailText } from './templates/render-email.ts';

const DECRYPT_OPTIONS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Decrypts a link sealed by the auth service with one of the keys (compact JWE, direct key, A256GCM). */
async function decryptLink(sealed: string, keys: readonly Uint8Array[]): Promise<string> {
  const decryption = Promise.any(keys.map((key) => compactDecrypt(sealed, key, DECRYPT_OPTIONS)));
  const { plaintext } = await decryption.catch((cause: unknown) => {
    const hint = 'Check that auth and notifications use the same LINK_SEALING_KEY.';
    throw new UnsendableEmailError(`Failed to open sealed link. ${hint}`, { cause });
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
  replies?: Replies | undefined;
};

export async function composeEmail(
  email: EmailRecord,
  mailing: MailingRecord | null,
  settings: EmailSettings,
): Promise<SendMailOptions & { messageId: string }> {
  const content = emailContent.safeParse(mailing?.content);
  if (!mailing || !content.success) throw new UnsendableEmailError('Email content is missing');
  const merged =
    content.data.template === 'meeting' ? mergeSupersededChanges(content.data, email.replaced) : content.data;
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
        content: withRecipientReplyAddress(mailing.calendar, {
          email,
          content: content.data,
          replies: settings.replies,
        }),
      },
    }),
  };
}

function withRecipientReplyAddress(
  calendar: string,
  { email, content, replies }: { email: EmailRecord; content: EmailContent; replies: Replies | undefined },
): string {
  const [key] = replies?.keys ?? [];
  if (!replies || !key || content.template !== 'meeting') return calendar;
  const { calendarId } = content.meeting;
  return withReplyAddress(calendar, replyAddress(replies.address, key, { userId: email.recipientId, calendarId }));
}

async function toLayout(content: EmailContent, email: EmailRecord, settings: EmailSettings): Promise<EmailLayout> {
  const { publicUrl } = settings;
  const { timezone } = email;
  const recipient = {
    firstName: normalizeName(email.firstName),
    timezone,
    workspace: isolate(settings.workspace),
  };
  switch (content.template) {
    case 'invitation':
      return invitationEmail({ ...content, ...recipient, url: await decryptUnexpiredLink(content, settings) });
    case 'password-reset':
      return passwordResetEmail({ ...content, ...recipient, url: await decryptUnexpiredLink(content, settings) });
    case 'password-changed':
      return passwordChangedEmail({ ...content, ...recipient, url: `${publicUrl}/forgot-password` });
    case 'new-device':
      return newDeviceEmail({ ...content, ...recipient, url: `${publicUrl}/settings` });
    case 'feed-created':
      return feedCreatedEmail({ ...content, ...recipient, url: `${publicUrl}/settings` });
    case 'reset-link-created':
      return resetLinkCreatedEmail({ ...content, ...recipient });
    case 'admin-granted':
      return adminGrantedEmail({ ...content, ...recipient, url: `${publicUrl}/user-management` });
    case 'project':
      return projectAddedEmail(content, `${publicUrl}/progress/${content.project.id}`);
    case 'task':
      return taskEmail(content, `${publicUrl}/progress/${content.task.projectId}?task=${content.task.id}`);
    case 'digest':
      return digestEmail(content, publicUrl);
    case 'meeting':
      return meetingEmail({ content, timezone, url: `${publicUrl}/meetings`, meetingId: email.about });
    case 'meeting-reminder':
      return meetingReminderEmail({ content, timezone, url: `${publicUrl}/meetings` });
  }
}

async function decryptUnexpiredLink(
  content: { sealedUrl: string; expiresAt: string },
  settings: EmailSettings,
): Promise<string> {
  if (Date.parse(content.expiresAt) <= Date.now()) throw new UnsendableEmailError('Link has expired');
  return decryptLink(content.sealedUrl, settings.sealingKeys);
}
