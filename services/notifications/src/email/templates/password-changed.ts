import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { placeFacts } from './location-lines.ts';

type Given = Addressee & { at: string; device: string | null; address: string | null; url: string };

/** To the owner of an account, in case it was not them. */
export function passwordChangedLetter(given: Given): EmailLayout {
  const { url } = given;
  const workspace = isolate(given.workspace);
  return {
    subject: `Your ${workspace} password was changed`,
    heading: 'Your password was changed',
    paragraphs: [
      greeting(given),
      `The password of your ${workspace} account was changed, and you were signed out everywhere else.`,
      'If it was not you, set a new password now and tell an administrator.',
    ],
    facts: placeFacts(given),
    action: { label: 'Set a new password', url },
    footnote: 'If it was you, there is nothing to do.',
  };
}
