import type { Role } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import type { EmailLayout } from './render-email.ts';
import { longTime } from './times.ts';

type Addressee = { firstName: string; timezone: string; workspace: string };

const greeting = ({ firstName }: Pick<Addressee, 'firstName'>): string =>
  firstName === '' ? 'Hello,' : `Hello ${isolate(firstName)},`;

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

type PasswordResetParams = { firstName: string; expiresAt: string; timezone: string; link: string; workspace: string };

export function passwordResetEmail({
  firstName,
  expiresAt,
  timezone,
  link,
  ...rest
}: PasswordResetParams): EmailLayout {
  const workspace = isolate(rest.workspace);
  return {
    subject: `Reset your ${workspace} password`,
    heading: 'Reset your password',
    paragraphs: [
      greeting({ firstName }),
      `We received a request to reset the password of your ${workspace} account. Once you set a new password, you will be signed out everywhere else.`,
    ],
    action: { label: 'Set a new password', url: link },
    quotes: [],
    footnote: `This link works once and expires on ${longTime(expiresAt, timezone)}. If you didn’t request it, you can ignore this email: your password has not changed.`,
  };
}

type ResetLinkCreatedParams = Addressee & { administrator: string | null; at: string; expiresAt: string };

export function resetLinkCreatedEmail(params: ResetLinkCreatedParams): EmailLayout {
  const { timezone } = params;
  const workspace = isolate(params.workspace);
  const who = isolate(params.administrator ?? 'An administrator');
  return {
    subject: `${who} created a password reset link for your ${workspace} account`,
    heading: 'Password reset link created',
    paragraphs: [
      greeting(params),
      `${who} created a link to reset the password of your ${workspace} account and should pass it on to you.`,
      'If you didn’t request this, contact another administrator.',
    ],
    facts: [
      ['Created', longTime(params.at, timezone)],
      ['Expires', longTime(params.expiresAt, timezone)],
    ],
    footnote: 'Your password does not change unless the link is used.',
  };
}

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

type FeedCreatedParams = Addressee & { at: string; url: string };

export function feedCreatedEmail(params: FeedCreatedParams): EmailLayout {
  const { timezone, url } = params;
  const workspace = isolate(params.workspace);
  return {
    subject: `A calendar link was created for your ${workspace} account`,
    heading: 'New calendar link',
    paragraphs: [
      greeting(params),
      'A link was created that lets a calendar app read your meetings. Anyone who has the link can read them without signing in.',
      'If this wasn’t you, remove the link in Account Settings and change your password, which also disables the link.',
    ],
    facts: [['Created', longTime(params.at, timezone)]],
    action: { label: 'Open Account Settings', url },
    footnote: 'If this was you, no action is needed.',
  };
}

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

type LocationParams = { at: string; device: string | null; address: string | null; timezone: string };

function locationLines({ at, device, address, timezone }: LocationParams): [label: string, value: string][] {
  const facts: [string, string | null][] = [
    ['When', longTime(at, timezone)],
    ['Device', device],
    ['Network address', address],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value]]));
}
