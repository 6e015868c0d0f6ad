import type { ContentOf } from './email-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { noticeSentence } from './notice-email.ts';

export function digestEmail({ items, total }: ContentOf<'digest'>, publicUrl: string): EmailLayout {
  const hiddenCount = total - items.length;
  const subject = total === 1 ? 'You have a notification' : `You have ${total} notifications`;
  return {
    subject,
    heading: subject,
    paragraphs: [],
    items: items.map((item) => ({ label: noticeSentence(item), url: `${publicUrl}${item.path}` })),
    action: {
      label: hiddenCount > 0 ? `See ${hiddenCount} more in Atrium` : 'Open Atrium',
      url: `${publicUrl}/notifications`,
    },
  };
}
