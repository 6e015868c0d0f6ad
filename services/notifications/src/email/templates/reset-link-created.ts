import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

type ResetLinkCreatedParams = Addressee & { administrator: string | null; at: string; expiresAt: string };

export function resetLinkCreatedEmail(params: ResetLinkCreatedParams): EmailLayout {
  const { timezone } = params;
  const workspace = isolate(params.workspace);
  const who = isolate(params.administrator ?? 'An administrator');
  return {
    subject: `${who} created a password reset link for your ${workspace} account`,
    heading: 'Password reset link created',
    paragraphs: [
      greeting(params),
      `${who} created a link to reset the password of your ${workspace} account and should pass it on to you.`,
      'If you didn’t request this, contact another administrator.',
    ],
    facts: [
      ['Created', longTime(params.at, timezone)],
      ['Expires', longTime(params.expiresAt, timezone)],
    ],
    footnote: 'Your password does not change unless the link is used.',
  };
}
