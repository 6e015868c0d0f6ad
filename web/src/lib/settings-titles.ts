const SETTINGS_TITLES = [
  'Profile',
  'Meetings',
  'Notifications',
  'Calendar',
  'Appearance',
  'Dates and times',
  'Keyboard',
  'Password',
  'Active sessions',
  'Emoji',
] as const;

/** Sections about the workspace. */
const ADMIN_TITLES: readonly SettingsTitle[] = ['Emoji'];

export type SettingsTitle = (typeof SETTINGS_TITLES)[number];

export const settingsTitles = (isAdmin: boolean): SettingsTitle[] =>
  SETTINGS_TITLES.filter((title) => isAdmin || !ADMIN_TITLES.includes(title));

/** The DOM id of a section. */
export const settingsSectionId = (title: SettingsTitle): string => title.toLowerCase().replaceAll(' ', '-');

export const settingsPath = (title: SettingsTitle): string => `/settings#${settingsSectionId(title)}`;
