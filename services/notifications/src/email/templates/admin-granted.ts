import { isolate } from '@atrium/proto-events/text/isolate';
import { type Addressee, greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

type AdminGrantedParams = Addressee & {
  administrator: { name: string; email: string };
  actor: string | null;
  at: string;
  url: string;
};

export function adminGrantedEmail(params: AdminGrantedParams): EmailLayout {
  const { administrator, actor, url } = params;
  const name = isolate(administrator.name);
  const workspace = isolate(params.workspace);
  return {
    subject: `${name} is now an administrator of ${workspace}`,
    heading: 'New administrator',
    paragraphs: [
      greeting(params),
      `${name} is now an administrator of ${workspace}, with full access to the workspace.`,
      'If this was not intended, change their role and let the other administrators know.',
    ],
    facts: [
      ['Email', administrator.email],
      ...(actor === null ? [] : ([['By', actor]] satisfies [string, string][])),
      ['When', longTime(params.at, params.timezone)],
    ],
    action: { label: 'Open User Management', url },
    footnote: 'You received this email because you are an administrator.',
  };
}
