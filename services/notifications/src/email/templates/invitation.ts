import type { Role } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

const ROLE_LABELS: Record<Role, string> = {
  admin: 'an administrator',
  project_manager: 'a project manager',
  member: 'a member',
};

type InvitationParams = {
  firstName: string;
  inviter: string | null;
  role: Role;
  expiresAt: string;
  link: string;
  workspace: string;
};

export function invitationEmail({ firstName, inviter, role, expiresAt, link, ...rest }: InvitationParams): EmailLayout {
  const inviterName = isolate(inviter ?? 'An administrator');
  const workspace = isolate(rest.workspace);
  return {
    subject: `${inviterName} invited you to ${workspace}`,
    heading: `Welcome to ${workspace}`,
    paragraphs: [
      greeting({ firstName }),
      `${inviterName} invited you to join ${workspace} as ${ROLE_LABELS[role]}. Choose a password to activate your account.`,
    ],
    action: { label: 'Accept invitation', url: link },
    quotes: [],
    footnote: `This link works once and expires on ${longTime(expiresAt, 'UTC')}. If you weren’t expecting this invitation, you can ignore this email.`,
  };
}
