import type { Role } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import type { ContentOf, EmailContent } from './email-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { formatDateTime } from './times.ts';

/** Content of an email with its recipient. The workspace name is isolated; `url` is the link of the button. */
type Params<Template extends EmailContent['template']> = ContentOf<Template> & {
  firstName: string;
  timezone: string;
  workspace: string;
  url: string;
};

const greeting = (firstName: string): string => (firstName === '' ? 'Hello,' : `Hello ${isolate(firstName)},`);

const ROLE_LABELS: Record<Role, string> = {
  admin: 'an administrator',
  project_manager: 'a project manager',
  member: 'a member',
};

export function invitationEmail({ inviter, role, expiresAt, ...params }: Params<'invitation'>): EmailLayout {
  const { firstName, workspace, url } = params;
  const inviterName = isolate(inviter ?? 'An administrator');
  return {
    subject: `${inviterName} invited you to ${workspace}`,
    heading: `Welcome to ${workspace}`,
    paragraphs: [
      greeting(firstName),
      `${inviterName} invited you to join ${workspace} as ${ROLE_LABELS[role]}. Choose a password to activate your account.`,
    ],
    action: { label: 'Accept invitation', url, isSecret: true },
    note: `This link works once and expires on ${formatDateTime(expiresAt, 'UTC')}. If you weren’t expecting this invitation, you can ignore this email.`,
  };
}

export function passwordResetEmail({ firstName, workspace, url, ...params }: Params<'password-reset'>): EmailLayout {
  return {
    subject: `Reset your ${workspace} password`,
    heading: 'Reset your password',
    paragraphs: [
      greeting(firstName),
      `We received a request to reset the password of your ${workspace} account. Once you set a new password, you will be signed out everywhere else.`,
    ],
    action: { label: 'Set a new password', url, isSecret: true },
    note: `This link works once and expires on ${formatDateTime(params.expiresAt, params.timezone)}. If you didn’t request it, you can ignore this email: your password has not changed.`,
  };
}

export function resetLinkCreatedEmail(params: Omit<Params<'reset-link-created'>, 'url'>): EmailLayout {
  const { firstName, timezone, workspace } = params;
  const administrator = isolate(params.administrator ?? 'An administrator');
  return {
    subject: `${administrator} created a password reset link for your ${workspace} account`,
    heading: 'Password reset link created',
    paragraphs: [
      greeting(firstName),
      `${administrator} created a link to reset the password of your ${workspace} account and should pass it on to you.`,
      'If you didn’t request this, contact another administrator.',
    ],
    details: [
      ['Created', formatDateTime(params.at, timezone)],
      ['Expires', formatDateTime(params.expiresAt, timezone)],
    ],
    note: 'Your password does not change unless the link is used.',
  };
}

export function passwordChangedEmail({ workspace, ...params }: Params<'password-changed'>): EmailLayout {
  return {
    subject: `Your ${workspace} password was changed`,
    heading: 'Your password was changed',
    paragraphs: [
      greeting(params.firstName),
      `The password of your ${workspace} account was changed, and you were signed out everywhere else.`,
      'If this wasn’t you, set a new password now and contact an administrator.',
    ],
    details: createSignInDetails(params),
    action: { label: 'Set a new password', url: params.url },
    note: 'If this was you, no action is needed.',
  };
}

export function newDeviceEmail({ workspace, ...params }: Params<'new-device'>): EmailLayout {
  return {
    subject: `New sign-in to your ${workspace} account`,
    heading: 'New sign-in',
    paragraphs: [
      greeting(params.firstName),
      `Someone signed in to your ${workspace} account from a new device.`,
      'If this wasn’t you, sign out everywhere in Account Settings, change your password, and contact an administrator.',
    ],
    details: createSignInDetails(params),
    action: { label: 'Open Account Settings', url: params.url },
    note: 'If this was you, no action is needed. A browser whose data was cleared counts as a new device.',
  };
}

type SignInDetails = Pick<Params<'new-device'>, 'at' | 'device' | 'address' | 'timezone'>;

function createSignInDetails({ at, device, address, timezone }: SignInDetails) {
  const details: [label: string, value: string][] = [['When', formatDateTime(at, timezone)]];
  if (device !== null) details.push(['Device', device]);
  if (address !== null) details.push(['Network address', address]);
  return details;
}

export function feedCreatedEmail({ firstName, workspace, url, ...params }: Params<'feed-created'>): EmailLayout {
  return {
    subject: `A calendar link was created for your ${workspace} account`,
    heading: 'New calendar link',
    paragraphs: [
      greeting(firstName),
      'A link was created that lets a calendar app read your meetings. Anyone who has the link can read them without signing in.',
      'If this wasn’t you, remove the link in Account Settings and change your password, which also disables the link.',
    ],
    details: [['Created', formatDateTime(params.at, params.timezone)]],
    action: { label: 'Open Account Settings', url },
    note: 'If this was you, no action is needed.',
  };
}

export function adminGrantedEmail({
  administrator,
  actor,
  workspace,
  ...params
}: Params<'admin-granted'>): EmailLayout {
  const name = isolate(administrator.name);
  const details: [string, string][] = [['Email', administrator.email]];
  if (actor !== null) details.push(['By', actor]);
  details.push(['When', formatDateTime(params.at, params.timezone)]);
  return {
    subject: `${name} is now an administrator of ${workspace}`,
    heading: 'New administrator',
    paragraphs: [
      greeting(params.firstName),
      `${name} is now an administrator of ${workspace}, with full access to the workspace.`,
      'If this was not intended, change their role and let the other administrators know.',
    ],
    details,
    action: { label: 'Open User Management', url: params.url },
    footnote: 'You received this email because you are an administrator.',
  };
}
