import {
  Bell,
  Building2,
  CalendarDays,
  ChartNoAxesColumn,
  FileText,
  Gauge,
  ListTodo,
  type LucideIcon,
  MessageSquare,
  ScrollText,
  Settings,
  UserRound,
  Users,
} from 'lucide-react';

export type NavEntry = {
  label: string;
  to: string;
  icon: LucideIcon;
  isAdminOnly?: boolean;
  hasBadge?: boolean;
};

export const NAV_ENTRIES: readonly NavEntry[] = [
  { label: 'My Work', to: '/my-work', icon: ListTodo },
  { label: 'Dashboard', to: '/', icon: Gauge },
  { label: 'Progress Tracker', to: '/progress', icon: ChartNoAxesColumn },
  { label: 'Meetings', to: '/meetings', icon: CalendarDays },
  { label: 'Team Chat', to: '/chat', icon: MessageSquare, hasBadge: true },
  { label: 'Document Hub', to: '/documents', icon: FileText },
  { label: 'Departments', to: '/departments', icon: Building2, isAdminOnly: true },
  { label: 'User Management', to: '/user-management', icon: UserRound, isAdminOnly: true },
];

export const PATH_ALIASES: Readonly<Record<string, string>> = {
  '/document-hub': '/documents',
  '/progress-tracker': '/progress',
};

export const PARENT_PATHS: Readonly<Record<string, string>> = {
  '/team': '/',
  '/activity': '/user-management',
};

const PAGES_OUTSIDE_NAVIGATION: readonly NavEntry[] = [
  { label: 'Team Members', to: '/team', icon: Users },
  { label: 'Notifications', to: '/notifications', icon: Bell },
  { label: 'Account Settings', to: '/settings', icon: Settings },
  { label: 'Activity', to: '/activity', icon: ScrollText, isAdminOnly: true },
];

export function pagesFor(isAdmin: boolean): readonly NavEntry[] {
  return [...NAV_ENTRIES, ...PAGES_OUTSIDE_NAVIGATION].filter((entry) => isAdmin || !entry.isAdminOnly);
}
