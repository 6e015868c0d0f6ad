import { isolate } from '@atrium/proto-events/text/isolate';
import { greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

type Given = { firstName: string; expiresAt: string; timezone: string; link: string; workspace: string };

/** A link for the user who requested it; anyone else is assured that nothing has changed. */
export function passwordResetLetter({ firstName, expiresAt, timezone, link, ...rest }: Given): EmailLayout {
  const workspace = isolate(rest.workspace);
  return {
    subject: `Set a new password for ${workspace}`,
    heading: 'Set a new password',
    paragraphs: [
      greeting({ firstName }),
      `Somebody, most likely you, asked for a new password for your ${workspace} account. Once it is set, you are signed out everywhere else.`,
    ],
    action: { label: 'Set a new password', url: link },
    quotes: [],
    footnote: `This link works once and until ${longTime(expiresAt, timezone)}. If you did not ask for it, ignore this mail: your password stays as it is.`,
  };
}
