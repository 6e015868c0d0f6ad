import { CHANGED, PHRASES, type Phrase } from '@atrium/proto-events/notices/phrases';
import { isolate } from '@atrium/proto-events/text/isolate';
import type { ContentOf } from './email-content.ts';
import type { EmailLayout } from './render-email.ts';

type DigestContent = ContentOf<'digest'>;

export function digestEmail({ items, total }: DigestContent, publicUrl: string): EmailLayout {
  const hiddenCount = total - items.length;
  const subject = total === 1 ? 'You have a notification' : `You have ${total} notifications`;
  return {
    subject,
    heading: subject,
    paragraphs: [],
    items: items.map((item) => ({ label: toSentence(item), url: `${publicUrl}${item.path}` })),
    action: { label: hiddenCount > 0 ? `See ${hiddenCount} more in Atrium` : 'Open Atrium', url: publicUrl },
    footnote:
      'You received this email because you chose to be emailed about these. You can change that in Account Settings.',
  };
}

/** Of kinds that the app words with more than a name and a title. */
const DIGEST_PHRASES: Readonly<Record<string, Phrase>> = {
  'meetings.meeting.due': { active: 'reminds you of', passive: 'Coming up:' },
  'chat.reminder.due': { active: 'reminds you of', passive: 'Reminder:' },
  'projects.member.departed': { active: 'left the project', passive: 'A team member left' },
  'projects.manager.departed': { active: 'left and no longer manages', passive: 'The project manager left' },
};

function toSentence({ kind, actor, title }: DigestContent['items'][number]): string {
  const { active, passive, after } = DIGEST_PHRASES[kind] ?? PHRASES[kind] ?? CHANGED;
  if (actor === null) return `${passive} ${isolate(title)}`;
  return [isolate(actor), active, isolate(title), after].filter(Boolean).join(' ');
}
