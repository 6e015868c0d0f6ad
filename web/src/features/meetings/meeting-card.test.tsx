import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { buildMeeting } from '#test/build-meeting.ts';
import { MeetingCard } from './meeting-card.tsx';

afterEach(cleanup);

it('meeting card announces the day of the meeting to screen readers', () => {
  const noon = new Date(2031, 10, 20, 12).toISOString();
  render(<MeetingCard meeting={buildMeeting({ startTime: noon })} onAction={() => undefined} />, {
    wrapper: MemoryRouter,
  });
  const card = screen.getByRole('article', { name: 'Portal stand-up' });
  expect(within(card).getByText('Nov 20, 2031').closest('[aria-hidden]')).toBeNull();
});

it('meeting card links from the next occurrence of a series to all of its occurrences', () => {
  const series = buildMeeting({ seriesId: 'd'.repeat(24), moreInSeries: 53 });
  render(<MeetingCard meeting={series} onAction={() => undefined} />, { wrapper: MemoryRouter });
  const link = screen.getByRole('link', { name: 'and 53 more dates of Portal stand-up' });
  expect(link.textContent).toBe('and 53 more');
  expect(link.getAttribute('href')).toBe(`/meetings?series=${'d'.repeat(24)}`);
});

it('meeting card keeps the project filter in the link to a series, and uses the singular for one occurrence', () => {
  const project = 'e'.repeat(24);
  const series = buildMeeting({ seriesId: 'd'.repeat(24), moreInSeries: 1 });
  render(
    <MemoryRouter initialEntries={[`/meetings?project=${project}&page=2`]}>
      <MeetingCard meeting={series} onAction={() => undefined} />
    </MemoryRouter>,
  );
  const link = screen.getByRole('link', { name: 'and 1 more date of Portal stand-up' });
  expect(link.getAttribute('href')).toBe(`/meetings?project=${project}&series=${'d'.repeat(24)}`);
});
