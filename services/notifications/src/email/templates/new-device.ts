import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { placeFacts } from './location-lines.ts';

type Given = Addressee & { at: string; device: string | null; address: string | null; url: string };

/** To the owner of an account, in case it was not them. */
export function newDeviceLetter(given: Given): EmailLayout {
  const { url } = given;
  const workspace = isolate(given.workspace);
  return {
    subject: `New sign-in to your ${workspace} account`,
    heading: 'New sign-in',
    paragraphs: [
      greeting(given),
      `Somebody signed in to your ${workspace} account on a device that was not used for it before.`,
      'If it was not you, sign out everywhere in Account Settings, change your password and tell an administrator.',
    ],
    facts: placeFacts(given),
    action: { label: 'Open Account Settings', url },
    footnote: 'If it was you, there is nothing to do. A browser whose data was cleared counts as a new device.',
  };
}
