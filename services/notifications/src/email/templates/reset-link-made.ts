import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

type Given = Addressee & { administrator: string | null; at: string; expiresAt: string };

/** To the person whose password it is about: who could let themselves in, and until when. The link itself is not in it. */
export function resetLinkMadeLetter(given: Given): EmailLayout {
  const { timezone } = given;
  const workspace = isolate(given.workspace);
  const who = isolate(given.administrator ?? 'An administrator');
  return {
    subject: `${who} made a link to a new password for your ${workspace} account`,
    heading: 'A link to a new password',
    paragraphs: [
      greeting(given),
      `${who} made a link with which a new password can be set for your ${workspace} account, to hand it over to you.`,
      'If you did not ask for it, tell another administrator.',
    ],
    facts: [
      ['Made', longTime(given.at, timezone)],
      ['Works until', longTime(given.expiresAt, timezone)],
    ],
    footnote: 'As long as nobody uses the link, your password stays as it is.',
  };
}
