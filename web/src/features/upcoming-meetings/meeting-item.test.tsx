import '../../../test/browser-gaps.ts';
import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { aMeeting } from '../../../test/a-meeting.ts';
import { MeetingItem } from './meeting-item.tsx';

afterEach(cleanup);

it('says to a screen reader on which day the meeting is', () => {
  const noon = new Date(2031, 10, 20, 12).toISOString();
  render(<MeetingItem meeting={aMeeting({ startTime: noon })} />, { wrapper: MemoryRouter });
  expect(screen.getByRole('link', { name: /^Nov 20, 2031 Portal stand-up/ })).toBeTruthy();
});
