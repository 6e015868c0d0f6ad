import { isolate } from '@atrium/proto-events/text/isolate';
import type { ContentOf } from './email-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { getActionLabel } from './notice-email.ts';

export function replyProblemEmail(
  { isPosted, reason, title, path, about }: ContentOf<'reply-problem'>,
  publicUrl: string,
): EmailLayout {
  const heading = isPosted ? 'The files of your reply were not posted' : 'Your reply was not posted';
  const item = title === null ? 'You replied to an email.' : `You replied to an email about ${isolate(title)}.`;
  return {
    subject: heading,
    heading,
    paragraphs: [item, /[.!?]$/.test(reason) ? reason : `${reason}.`],
    action: { label: getActionLabel(path, about?.resource), url: `${publicUrl}${path}` },
    footnote: 'You received this email because you replied to one. If you didn’t, contact your administrator.',
  };
}
