import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { locationLines } from './location-lines.ts';

type PasswordChangedParams = Addressee & { at: string; device: string | null; address: string | null; url: string };

export function passwordChangedEmail(params: PasswordChangedParams): EmailLayout {
  const { url } = params;
  const workspace = isolate(params.workspace);
  return {
    subject: `Your ${workspace} password was changed`,
    heading: 'Your password was changed',
    paragraphs: [
      greeting(params),
      `The password of your ${workspace} account was changed, and you were signed out everywhere else.`,
      'If this wasn’t you, set a new password now and contact an administrator.',
    ],
    facts: locationLines(params),
    action: { label: 'Set a new password', url },
    footnote: 'If this was you, no action is needed.',
  };
}
