import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

type Given = Addressee & {
  administrator: { name: string; email: string };
  actor: string | null;
  at: string;
  url: string;
};

/** To every other administrator, so that none is made behind their backs. */
export function administratorMadeLetter(given: Given): EmailLayout {
  const { administrator, actor, url } = given;
  const name = isolate(administrator.name);
  const workspace = isolate(given.workspace);
  return {
    subject: `${name} is now an administrator of ${workspace}`,
    heading: 'A new administrator',
    paragraphs: [
      greeting(given),
      `${name} is now an administrator of ${workspace}, with access to everything in it.`,
      'If this was not intended, change their role and inform the other administrators.',
    ],
    facts: [
      ['Email', administrator.email],
      ...(actor === null ? [] : ([['By', actor]] satisfies [string, string][])),
      ['When', longTime(given.at, given.timezone)],
    ],
    action: { label: 'Open User Management', url },
    footnote: 'You receive this because you are an administrator.',
  };
}
