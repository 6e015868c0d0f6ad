import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { type CalendarEvent, toCalendarEvent } from '../layout/calendar-event.ts';
import { HOUR_MS } from '../layout/span.ts';
import { type Moving, useMoving } from './use-moving.ts';

const EVENT: CalendarEvent = toCalendarEvent({
  _id: 'b'.repeat(24),
  seriesId: null,
  title: 'Review',
  type: 'standup',
  startTime: '2026-11-30T09:00:00.000Z',
  endTime: '2026-11-30T10:00:00.000Z',
  timezone: 'UTC',
  location: '',
  meetingLink: 'https://meet.example.org/review',
  project: null,
  room: null,
  organizer: { _id: 'c'.repeat(24), firstName: 'Paul', lastName: 'Manager' },
  isRecurring: false,
  isPast: false,
  version: 1,
  abilities: { update: true, delete: true, addNotes: true, respond: false },
  participantCount: 1,
  response: null,
});

let announcements: string[];
let calls: string[];
let moving: Moving;

beforeEach(() => {
  announcements = [];
  calls = [];
  render(<Grid />);
  act(() => moving.pickUp(EVENT));
  act(() => moving.to({ start: EVENT.start + HOUR_MS, end: EVENT.end + HOUR_MS }));
  announcements = [];
});
afterEach(cleanup);

function Grid() {
  const root = useRef<HTMLDivElement>(null);
  moving = useMoving({
    root,
    announce: (text) => void announcements.push(text),
    help: '',
    onDrop: () => void calls.push('dropped'),
    onPutDown: () => void calls.push('focused'),
  });
  return (
    <>
      <div ref={root}>
        <button type="button">Inside</button>
      </div>
      <button type="button">Outside</button>
    </>
  );
}

it('useMoving continues a keyboard move while focus stays in the grid', () => {
  act(() => screen.getByText('Inside').focus());
  expect(moving.currentMove?.event).toBe(EVENT);
  act(() => moving.drop());
  expect(calls).toEqual(['focused', 'dropped']);
});

it.each([
  ['focus moves elsewhere', () => screen.getByText('Outside').focus()],
  ['something else is pressed', () => fireEvent.pointerDown(screen.getByText('Outside'))],
  ['the grid is pressed', () => fireEvent.pointerDown(screen.getByText('Inside'))],
])('useMoving cancels a keyboard move when %s, and leaves focus there', (_event, leave) => {
  act(() => void leave());
  expect(moving.currentMove).toBeNull();
  expect(announcements).toEqual([expect.stringMatching(/^Review is back on Monday.*30.*/)]);
  act(() => moving.drop());
  expect(calls).toEqual([]);
});
