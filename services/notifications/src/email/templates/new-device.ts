import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { locationLines } from './location-lines.ts';

type NewDeviceParams = Addressee & { at: string; device: string | null; address: string | null; url: string };

export function newDeviceEmail(params: NewDeviceParams): EmailLayout {
  const { url } = params;
  const workspace = isolate(params.workspace);
  return {
    subject: `New sign-in to your ${workspace} account`,
    heading: 'New sign-in',
    paragraphs: [
      greeting(params),
      `Someone signed in to your ${workspace} account from a new device.`,
      'If this wasn’t you, sign out everywhere in Account Settings, change your password, and contact an administrator.',
    ],
    facts: locationLines(params),
    action: { label: 'Open Account Settings', url },
    footnote: 'If this was you, no action is needed. A browser whose data was cleared counts as a new device.',
  };
}
