import { collapseWhitespace, type Seen } from './seen-texts.ts';
import type { SpecString } from './spec-string.ts';

/** The paths of the screens where the texts of each heading must appear. */
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

export const getScreenPattern = (shown: string): RegExp | undefined => SCREEN_PATTERNS[shown];

export type TextMatch = SpecString & { seenAt: readonly string[] };

/** Text of at least this length can be part of a sentence. Shorter text must be the whole text of an element. */
const MIN_PARTIAL_LENGTH = 25;

function toPattern(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const source = parts.join('.{1,60}?');
  return text.length >= MIN_PARTIAL_LENGTH ? new RegExp(source) : new RegExp(`^${source}$`);
}

const isApiResponse = (at: string): boolean => /^[A-Z]+ \//.test(at);

/** Finds where each text was seen: on its screen, or in an API response if `fromApi` is set. */
export function matchTexts(strings: readonly SpecString[], seen: readonly Seen[]): TextMatch[] {
  return strings.map((entry) => {
    const pattern = toPattern(collapseWhitespace(entry.text));
    const screen = getScreenPattern(entry.shown);
    const isExpectedPlace = ({ at }: Seen) => (isApiResponse(at) ? entry.fromApi === true : screen?.test(at) === true);
    const matches = seen.filter((item) => isExpectedPlace(item) && pattern.test(item.text));
    return { ...entry, seenAt: [...new Set(matches.map(({ at }) => at))] };
  });
}
