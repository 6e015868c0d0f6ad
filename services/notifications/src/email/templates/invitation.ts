import type { Role } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { greeting } from './addressee.ts';
import type { EmailLayout } from './email-layout.ts';
import { longTime } from './times.ts';

const ROLE_WORDS: Record<Role, string> = {
  admin: 'an administrator',
  project_manager: 'a project manager',
  member: 'a member',
};

type Given = {
  firstName: string;
  inviter: string | null;
  role: Role;
  expiresAt: string;
  link: string;
  workspace: string;
};

/** The way in: the only mail with a link that lets somebody sign in. */
export function invitationLetter({ firstName, inviter, role, expiresAt, link, ...rest }: Given): EmailLayout {
  const who = isolate(inviter ?? 'An administrator');
  const workspace = isolate(rest.workspace);
  return {
    subject: `${who} invited you to ${workspace}`,
    heading: `Welcome to ${workspace}`,
    paragraphs: [
      greeting({ firstName }),
      `${who} invited you to join ${workspace} as ${ROLE_WORDS[role]}. Choose a password to activate your account.`,
    ],
    action: { label: 'Accept invitation', url: link },
    quotes: [],
    footnote: `This invitation works once and until ${longTime(expiresAt, 'UTC')}. If you did not expect it, ignore this mail.`,
  };
}
