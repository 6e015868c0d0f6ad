import { plain, type Seen } from './seen-texts.ts';
import type { SpecString } from './spec-string.ts';

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

export const screenPatternOf = (shown: string): RegExp | undefined => SCREEN_PATTERNS[shown];

export type TextMatch = SpecString & { seenAt: readonly string[] };

/** A text of this length may be part of a sentence; a shorter one must be a text of its own. */
const MIN_PARTIAL_LENGTH = 25;

function patternOf(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const source = parts.join('.{1,60}?');
  return text.length >= MIN_PARTIAL_LENGTH ? new RegExp(source) : new RegExp(`^${source}$`);
}

const isApiResponse = (at: string): boolean => /^[A-Z]+ \//.test(at);

/** Only on the screen of the text, or in an API response if `fromApi` marks that no form can show it. */
export function matchTexts(strings: readonly SpecString[], seen: readonly Seen[]): TextMatch[] {
  return strings.map((entry) => {
    const pattern = patternOf(plain(entry.text));
    const screen = screenPatternOf(entry.shown);
    const isExpectedPlace = ({ at }: Seen) => (isApiResponse(at) ? entry.fromApi === true : screen?.test(at) === true);
    const found = seen.filter((item) => isExpectedPlace(item) && pattern.test(item.text));
    return { ...entry, seenAt: [...new Set(found.map(({ at }) => at))] };
  });
}
