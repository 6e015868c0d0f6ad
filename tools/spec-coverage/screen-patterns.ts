/** The screen on which the texts of each heading must appear, by its path. */
const SCREEN_PATTERNS: Readonly<Record<string, RegExp>> = {
  'Not found': /./,
  Login: /^\/(login)?$/,
  'Accept invitation': /^\/(accept-invite|login)?$/,
  Shell: /./,
  'Availability banner': /./,
  'Error fallback': /./,
  Transport: /./,
  Dashboard: /^\/$/,
  'Progress Tracker': /^\/(progress|$)/,
  'User Management': /^\/user-management$/,
  Departments: /^\/(departments|user-management)$/,
  'Password strength': /^\/(accept-invite|reset-password|login|settings)$/,
  'Create project': /^\/(progress)?$/,
  'Edit project': /^\/(progress|$)/,
  'Edit user': /^\/user-management$/,
  Projects: /^\/(progress|$)/,
  Invitations: /^\/(user-management|progress|team)$/,
  People: /^\/(team|user-management)$/,
  Settings: /^\/settings$/,
  'Team Chat': /^\/chat/,
  'Create channel': /^\/chat/,
  'Rename conversation': /^\/chat/,
  'Chat info': /^\/chat/,
  Socket: /^\/chat/,
  Meetings: /^\/(meetings)?$/,
  'Meeting form': /^\/(meetings)?$/,
  Download: /^\/document/,
  'Document Hub': /^\/document/,
};

/** The screen's path pattern; undefined for a heading without one. */
export const screenPatternOf = (shown: string): RegExp | undefined => SCREEN_PATTERNS[shown];
