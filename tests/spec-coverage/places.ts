/** Where in the web app a text of each heading of the list must stand, by the path of the screen. */
const PLACES: Readonly<Record<string, RegExp>> = {
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

/** Where a text must have stood; undefined for a heading that nobody has given a place. */
export const placeOf = (shown: string): RegExp | undefined => PLACES[shown];
