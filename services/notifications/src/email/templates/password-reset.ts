import { isolate } from '@atrium/proto-events/text/isolate';
import { greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

type PasswordResetParams = { firstName: string; expiresAt: string; timezone: string; link: string; workspace: string };

export function passwordResetEmail({
  firstName,
  expiresAt,
  timezone,
  link,
  ...rest
}: PasswordResetParams): EmailLayout {
  const workspace = isolate(rest.workspace);
  return {
    subject: `Reset your ${workspace} password`,
    heading: 'Reset your password',
    paragraphs: [
      greeting({ firstName }),
      `We received a request to reset the password of your ${workspace} account. Once you set a new password, you will be signed out everywhere else.`,
    ],
    action: { label: 'Set a new password', url: link },
    quotes: [],
    footnote: `This link works once and expires on ${longTime(expiresAt, timezone)}. If you didn’t request it, you can ignore this email: your password has not changed.`,
  };
}
