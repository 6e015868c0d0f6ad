import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

type FeedCreatedParams = Addressee & { at: string; url: string };

export function feedCreatedEmail(params: FeedCreatedParams): EmailLayout {
  const { timezone, url } = params;
  const workspace = isolate(params.workspace);
  return {
    subject: `A calendar link was created for your ${workspace} account`,
    heading: 'New calendar link',
    paragraphs: [
      greeting(params),
      'A link was created that lets a calendar app read your meetings. Anyone who has the link can read them without signing in.',
      'If this wasn’t you, remove the link in Account Settings and change your password, which also disables the link.',
    ],
    facts: [['Created', longTime(params.at, timezone)]],
    action: { label: 'Open Account Settings', url },
    footnote: 'If this was you, no action is needed.',
  };
}
