import { NAV_ENTRIES, PATH_ALIASES } from '../navigation/nav-entries.ts';

/** Returns the name of the route module for a path. */
export function findScreen(pathname: string): string {
  const [, name = '', id] = (PATH_ALIASES[pathname] ?? pathname).split('/');
  if (name === 'progress' && id) return 'project';
  return name || 'dashboard';
}

export const listNavigationScreens = (isAdmin: boolean): string[] =>
  NAV_ENTRIES.filter((entry) => isAdmin || !entry.isAdminOnly).map(({ to }) => findScreen(to));
