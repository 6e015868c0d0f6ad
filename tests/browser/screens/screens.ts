import type { DemoWorkspace } from './demo-workspace.ts';

/** A route with a URL that leads to it, and a heading that shows that its screen has loaded. */
export type Screen = {
  route: string;
  address: (workspace: DemoWorkspace) => string;
  heading: string | RegExp;
  /** A part of the screen with its own URL. */
  part?: string;
  /** Whether signed-out users can open it. */
  isPublic?: true;
  /** Whether this is an additional URL of a listed screen, which is examined only once. */
  isAlias?: true;
};

const screenAt = (route: string, heading: string | RegExp): Screen => ({ route, address: () => route, heading });

/** Every route of the app. */
export const SCREENS: readonly Screen[] = [
  { ...screenAt('/login', 'Welcome back'), isPublic: true },
  { ...screenAt('/accept-invite', 'Join your team'), address: () => '/accept-invite?token=unknown', isPublic: true },
  { ...screenAt('/forgot-password', 'Forgot your password?'), isPublic: true },
  {
    ...screenAt('/reset-password', 'Set a new password'),
    address: () => '/reset-password?token=unknown',
    isPublic: true,
  },
  {
    ...screenAt('/unsubscribe/:token', 'Turn off these emails?'),
    address: () => `/unsubscribe/${'f'.repeat(24)}-task_comment,mention-${'0'.repeat(40)}`,
    isPublic: true,
  },
  screenAt('/', 'Team Dashboard'),
  screenAt('/my-work', 'My Work'),
  screenAt('/progress', 'Progress Tracker'),
  { ...screenAt('/progress-tracker', 'Progress Tracker'), isAlias: true },
  { ...screenAt('/progress/:projectId', /^Donaudampf/), address: ({ project }) => `/progress/${project}` },
  {
    ...screenAt('/progress/:projectId', /^Donaudampf/),
    part: 'charts',
    address: ({ project }) => `/progress/${project}?view=charts`,
  },
  screenAt('/meetings', 'Meetings'),
  screenAt('/meetings/calendar', 'Meetings'),
  ...(['month', 'day', 'agenda'] as const).map((part) => ({
    ...screenAt('/meetings/calendar', 'Meetings'),
    part,
    address: () => `/meetings/calendar?view=${part}`,
  })),
  screenAt('/documents', 'Document Hub'),
  { ...screenAt('/document-hub', 'Document Hub'), isAlias: true },
  screenAt('/chat', 'Team Chat'),
  screenAt('/team', 'Team Members'),
  screenAt('/departments', 'Departments'),
  screenAt('/activity', 'Activity'),
  screenAt('/user-management', 'User Management'),
  {
    ...screenAt('/user-management', 'User Management'),
    part: 'invitations',
    address: () => '/user-management?tab=invitations',
  },
  screenAt('/user-management/statistics', 'Statistics'),
  screenAt('/notifications', 'Notifications'),
  { ...screenAt('/search', 'Search'), address: () => '/search?q=a' },
  screenAt('/settings', 'Account Settings'),
  { ...screenAt('*', 'Oops! Page not found'), address: () => '/nowhere' },
];

/** Lists the paths in a router's source; the index route is `/`. */
export function listRoutes(source: string): string[] {
  const paths = [...source.matchAll(/\{ path: '([^']+)'/g)].map(([, path]) => path ?? '');
  return /\{ index: true\b/.test(source) ? ['/', ...paths] : paths;
}
