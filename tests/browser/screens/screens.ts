import type { DemoWorkspace } from './demo-workspace.ts';

/** A route with a URL that leads to it, and a heading that shows that its screen has loaded. */
export type Screen = {
  route: string;
  address: (workspace: DemoWorkspace) => string;
  heading: string | RegExp;
  /** A part of the screen with its own URL. */
  part?: string;
  /** For signed-out users. */
  isPublic?: true;
  /** Another URL of a listed screen, which is examined only once. */
  isAlias?: true;
};

const at = (route: string, heading: string | RegExp): Screen => ({ route, address: () => route, heading });

/** Every route. */
export const SCREENS: readonly Screen[] = [
  { ...at('/login', 'Welcome back'), isPublic: true },
  { ...at('/accept-invite', 'Join your team'), address: () => '/accept-invite?token=unknown', isPublic: true },
  { ...at('/forgot-password', 'Forgot your password?'), isPublic: true },
  { ...at('/reset-password', 'Set a new password'), address: () => '/reset-password?token=unknown', isPublic: true },
  at('/', 'Team Dashboard'),
  at('/progress', 'Progress Tracker'),
  { ...at('/progress-tracker', 'Progress Tracker'), isAlias: true },
  { ...at('/progress/:projectId', /^Donaudampf/), address: ({ project }) => `/progress/${project}` },
  at('/meetings', 'Meetings'),
  at('/meetings/calendar', 'Meetings'),
  ...(['month', 'day', 'agenda'] as const).map((part) => ({
    ...at('/meetings/calendar', 'Meetings'),
    part,
    address: () => `/meetings/calendar?view=${part}`,
  })),
  at('/documents', 'Document Hub'),
  { ...at('/document-hub', 'Document Hub'), isAlias: true },
  at('/chat', 'Team Chat'),
  at('/team', 'Team Members'),
  at('/departments', 'Departments'),
  at('/activity', 'Activity'),
  at('/user-management', 'User Management'),
  {
    ...at('/user-management', 'User Management'),
    part: 'invitations',
    address: () => '/user-management?tab=invitations',
  },
  at('/settings', 'Account Settings'),
  { ...at('*', 'Oops! Page not found'), address: () => '/nowhere' },
];

/** The paths in a router's source, an index as `/`. */
export function routesIn(source: string): string[] {
  const paths = [...source.matchAll(/\{ path: '([^']+)'/g)].map(([, path]) => path ?? '');
  return /\{ index: true\b/.test(source) ? ['/', ...paths] : paths;
}
