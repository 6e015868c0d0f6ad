import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { buildMeeting } from '#test/build-meeting.ts';
import { MeetingItem } from './upcoming-meetings.tsx';

afterEach(cleanup);

it('meeting item announces the day of the meeting to screen readers', () => {
  const noon = new Date(2031, 10, 20, 12).toISOString();
  render(<MeetingItem meeting={buildMeeting({ startTime: noon })} />, { wrapper: MemoryRouter });
  expect(screen.getByRole('link', { name: /^Portal stand-up, .*Nov 20, 2031/ })).toBeTruthy();
});

it('meeting item links to the meeting, links to join it online, and shows how many meetings of the series follow', () => {
  render(<MeetingItem meeting={buildMeeting({ moreInSeries: 53 })} />, { wrapper: MemoryRouter });
  const [meeting, join] = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(meeting).toBe(`/meetings?meeting=${'b'.repeat(24)}`);
  expect(join).toBe('https://meet.example.org/portal');
  expect(screen.getByText('and 53 more')).toBeTruthy();
});
