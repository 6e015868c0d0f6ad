import '../../../test/browser-gaps.ts';
import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { buildMeeting } from '../../../test/a-meeting.ts';
import { MeetingCard } from './meeting-card.tsx';

afterEach(cleanup);

it('says to a screen reader on which day the meeting is', () => {
  const noon = new Date(2031, 10, 20, 12).toISOString();
  render(<MeetingCard meeting={buildMeeting({ startTime: noon })} onAction={() => undefined} />, {
    wrapper: MemoryRouter,
  });
  const card = screen.getByRole('article', { name: 'Portal stand-up' });
  expect(within(card).getByText('Nov 20, 2031').closest('[aria-hidden]')).toBeNull();
});

it('leads from the next date of a series to all of its dates', () => {
  const series = buildMeeting({ seriesId: 'd'.repeat(24), moreInSeries: 53 });
  render(<MeetingCard meeting={series} onAction={() => undefined} />, { wrapper: MemoryRouter });
  const more = screen.getByRole('link', { name: 'and 53 more dates of Portal stand-up' });
  expect(more.textContent).toBe('and 53 more');
  expect(more.getAttribute('href')).toBe(`/meetings?series=${'d'.repeat(24)}`);
});

it('stays within the project of the list, and speaks of one date', () => {
  const project = 'e'.repeat(24);
  const series = buildMeeting({ seriesId: 'd'.repeat(24), moreInSeries: 1 });
  render(
    <MemoryRouter initialEntries={[`/meetings?project=${project}&page=2`]}>
      <MeetingCard meeting={series} onAction={() => undefined} />
    </MemoryRouter>,
  );
  const more = screen.getByRole('link', { name: 'and 1 more date of Portal stand-up' });
  expect(more.getAttribute('href')).toBe(`/meetings?project=${project}&series=${'d'.repeat(24)}`);
});
