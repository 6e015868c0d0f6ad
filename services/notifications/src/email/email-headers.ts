import { UNSUBSCRIBE_PATH } from '@atrium/proto-events/notices/unsubscribe-link';
import type { SendMailOptions } from 'nodemailer';
import type { EmailRecord } from '../store/records.ts';
import { createUnsubscribeToken } from '../unsubscribe/unsubscribe-token.ts';
import type { EmailContent } from './templates/email-content.ts';

const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** The link with which a recipient turns off such emails; undefined for emails that cannot be turned off. */
export function createUnsubscribeUrl(
  { notice, recipientId: userId }: EmailRecord,
  { publicUrl, sealingKeys: [key] }: { publicUrl: string; sealingKeys: readonly Uint8Array[] },
): string | undefined {
  if (!notice || !key) return undefined;
  return `${publicUrl}${UNSUBSCRIBE_PATH}${createUnsubscribeToken({ userId, kinds: notice.kinds }, key)}`;
}

/** Mail programs show a button to unsubscribe, which sends `POST` to the URL (RFC 8058, section 3.1). */
export const automaticHeaders = (unsubscribeUrl: string | undefined) => ({
  ...AUTOMATIC,
  ...(unsubscribeUrl !== undefined && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});

/**
 * Headers by which mail programs group emails about one item: all are replies to the same message, which does not exist
 * (RFC 5322, section 3.6.4).
 */
export function threadHeaders(
  content: EmailContent,
  domain: string,
): Pick<SendMailOptions, 'inReplyTo' | 'references'> {
  const item = findItem(content);
  if (item === undefined) return {};
  const root = `<${item}@${domain}>`;
  return { inReplyTo: root, references: root };
}

function findItem(content: EmailContent): string | undefined {
  switch (content.template) {
    case 'project':
      return `project.${content.project.id}`;
    case 'task':
      return `task.${content.task.id}`;
    case 'meeting':
    case 'meeting-reminder':
      return `meeting.${content.meeting.calendarId}`;
    case 'notice':
    case 'reply-problem':
      return content.about === null ? undefined : `${content.about.resource}.${content.about.id}`;
    default:
      return undefined;
  }
}
