import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { expect, it } from '@jest/globals';
import { TYPE_LABELS } from '#entities/meeting/meeting-labels.ts';
import { buildMeeting } from '#test/build-meeting.ts';
import { type CalendarEvent, toCalendarEvent } from '../layout/calendar-event.ts';
import { eventLabel, eventTitle } from '../layout/event-labels.ts';
import { hueStyle } from './event-styles.ts';

const TYPES: Meeting['type'][] = ['team-meeting', 'one-on-one', 'project-review', 'standup', 'retrospective', 'other'];
const event = (type: Meeting['type']): CalendarEvent =>
  toCalendarEvent({ ...buildMeeting({ type }), participantCount: 2, response: 'accepted' });
const getBarColor = (type: Meeting['type']) => hueStyle(event(type))['--event-bar'];

it('event styles use different colors for meeting types, and none for busy times', () => {
  const bars = TYPES.map(getBarColor).filter((bar) => bar !== undefined);
  expect(bars.length).toBeGreaterThanOrEqual(4);
  expect(new Set(bars).size).toBe(bars.length);
  expect(hueStyle({ ...event('standup'), meeting: null })).toEqual({});
});

it('event styles never use a warm hue, which marks a tentative response', () => {
  const hues = TYPES.flatMap((type) => /hsl\((\d+)/.exec(getBarColor(type) ?? '')?.[1] ?? []).map(Number);
  for (const hue of hues) expect([hue >= 90, hue < 350]).toEqual([true, true]);
});

it.each(TYPES)('event labels include the type %s, because color alone is not accessible', (type) => {
  expect(eventTitle(event(type))).toContain(TYPE_LABELS[type]);
  expect(eventLabel(event(type))).toContain(TYPE_LABELS[type]);
});
