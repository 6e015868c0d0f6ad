import { withReplyAddress } from '@atrium/calendar/calendar-reply';
import { isolate } from '@atrium/proto-events/text/isolate';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { compactDecrypt } from 'jose';
import type { SendMailOptions } from 'nodemailer';
import type { EmailRecord, MailingRecord, ReplyTarget } from '../store/records.ts';
import { UnsendableEmailError } from './delivery-failure.ts';
import { automaticHeaders, createUnsubscribeUrl, threadHeaders } from './email-headers.ts';
import { mergeSupersededChanges } from './replace-email.ts';
import { createReplyAddress, type Replies } from './reply-address.ts';
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
import { findSettingLink, reasonText } from './templates/email-footer.ts';
import type { EmailLayout } from './templates/email-layout.ts';
import { meetingEmail, meetingReminderEmail } from './templates/meeting-emails.ts';
import { noticeEmail } from './templates/notice-email.ts';
import { projectAddedEmail, taskEmail } from './templates/project-emails.ts';
import { renderEmailHtml } from './templates/render-email-html.ts';
import { renderEmailText } from './templates/render-email-text.ts';
import { replyProblemEmail } from './templates/reply-problem-email.ts';

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

type EmailParts = {
  mailing: MailingRecord | null;
  /** Of the message that the email is about. */
  text?: string | undefined;
};

export async function composeEmail(
  email: EmailRecord,
  { mailing, text }: EmailParts,
  settings: EmailSettings,
): Promise<SendMailOptions & { messageId: string }> {
  const content = emailContent.safeParse(mailing?.content);
  if (!mailing || !content.success) throw new UnsendableEmailError('Email content is missing');
  const merged = complete(content.data, { email, text });
  const unsubscribeUrl = createUnsubscribeUrl(email, settings);
  const footed = withFooter(await toLayout(merged, email, settings), {
    email,
    content: merged,
    unsubscribeUrl,
    settings,
  });
  const replyAddress = findReplyAddress(email, settings);
  const replyTo = replyAddress ?? mailing.replyTo;
  const layout = withReplyNote(footed, { email, replyAddress, replyTo });
  return {
    to: { name: normalizeName(email.name), address: email.address },
    ...(replyTo !== null && { replyTo }),
    // Stable across attempts, so that a mail server can detect duplicates.
    messageId: `<${email._id.replaceAll(':', '.')}@${settings.domain}>`,
    ...threadHeaders(merged, settings.domain),
    subject: layout.subject,
    text: renderEmailText(layout, settings),
    html: renderEmailHtml(layout, settings),
    headers: automaticHeaders(unsubscribeUrl),
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

/** Adds what is read only when the email is sent. */
function complete(content: EmailContent, { email, text }: { email: EmailRecord; text: string | undefined }) {
  if (content.template === 'meeting') return mergeSupersededChanges(content, email.replaced);
  return content.template === 'notice' && text !== undefined ? { ...content, text } : content;
}

function withRecipientReplyAddress(
  calendar: string,
  { email, content, replies }: { email: EmailRecord; content: EmailContent; replies: Replies | undefined },
): string {
  if (content.template !== 'meeting') return calendar;
  const { calendarId: id } = content.meeting;
  const address = createReplyAddress(replies, { kind: 'calendar', id, userId: email.recipientId });
  return address === undefined ? calendar : withReplyAddress(calendar, address);
}

const findReplyAddress = ({ replyTarget, recipientId: userId }: EmailRecord, { replies }: EmailSettings) =>
  replyTarget && createReplyAddress(replies, { ...replyTarget, userId });

const REPLY_NOTES: Readonly<Record<Exclude<ReplyTarget['kind'], 'calendar'>, string>> = {
  task: 'Reply to this email to comment on the task. Only text is posted.',
  conversation: 'Reply to this email to answer in the conversation. Only text is posted.',
  thread: 'Reply to this email to answer in the thread. Only text is posted.',
};
const NOT_READ = 'Replies to this email are not read.';

type ReplyNoteParams = { email: EmailRecord; replyAddress: string | undefined; replyTo: string | null };

/** A reply is posted, or goes to another user, the organizer of a meeting. Otherwise, the email says that nobody reads it. */
function withReplyNote(layout: EmailLayout, { email, replyAddress, replyTo }: ReplyNoteParams): EmailLayout {
  const { replyTarget } = email;
  if (replyTarget && replyTarget.kind !== 'calendar' && replyAddress !== undefined)
    return { ...layout, note: REPLY_NOTES[replyTarget.kind] };
  if (replyTo !== null) return layout;
  return { ...layout, footnote: [layout.footnote, NOT_READ].filter(Boolean).join(' ') };
}

const SECURITY_FOOTNOTE = 'This email is about the security of your account, so it can’t be turned off.';
const SECURITY_FOOTNOTES: Readonly<Record<string, string>> = { security: SECURITY_FOOTNOTE, reset: SECURITY_FOOTNOTE };

type FooterParams = {
  email: EmailRecord;
  content: EmailContent;
  unsubscribeUrl: string | undefined;
  settings: EmailSettings;
};

/** Adds why the recipient was notified, and where they can change that. */
function withFooter(layout: EmailLayout, { email, content, unsubscribeUrl, settings }: FooterParams): EmailLayout {
  const { notice } = email;
  if (!notice) return { ...layout, footnote: layout.footnote ?? SECURITY_FOOTNOTES[email.kind] };
  const links = [findSettingLink(content, notice, settings.publicUrl)];
  if (unsubscribeUrl !== undefined) links.push({ label: 'Unsubscribe', url: unsubscribeUrl });
  return { ...layout, footnote: layout.footnote ?? reasonText(notice), footerLinks: links };
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
    case 'notice':
      return noticeEmail(content, publicUrl);
    case 'reply-problem':
      return replyProblemEmail(content, publicUrl);
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
