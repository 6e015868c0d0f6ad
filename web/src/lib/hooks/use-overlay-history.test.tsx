import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import { useOverlayHistory } from './use-overlay-history.ts';
import { useUrlState } from './use-url-state.ts';

function Desk() {
  const { opened, open, turn, close } = useOverlayHistory('letter', 'answer');
  const [, setPlace] = useUrlState(DEFAULT_STATE);
  return (
    <>
      <h1>{opened ? `${opened.name} ${opened.id}` : 'desk'}</h1>
      <button type="button" onClick={() => open('letter', 'one')}>
        Letter one
      </button>
      <button type="button" onClick={() => open('letter', 'two')}>
        Letter two
      </button>
      <button type="button" onClick={() => open('answer', 'one')}>
        Answer
      </button>
      <button type="button" onClick={() => turn('next')}>
        Turn
      </button>
      <button type="button" onClick={() => setPlace({ search: 'a' })}>
        Search
      </button>
      <button
        type="button"
        onClick={() => {
          close();
          close();
        }}
      >
        Close
      </button>
    </>
  );
}

const DEFAULT_STATE = { search: '' };

function begin(address: string): void {
  window.history.pushState(null, '', address);
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<Link to="/desk">To the desk</Link>} />
        <Route path="/desk" element={<Desk />} />
      </Routes>
    </BrowserRouter>,
  );
}

const press = (name: string) => userEvent.click(screen.getByText(name));
const heading = async (text: string) => expect(await screen.findByRole('heading', { name: text })).toBeTruthy();

beforeEach(() => window.history.pushState(null, '', '/elsewhere'));

afterEach(cleanup);

describe('an overlay in the URL', () => {
  it('closes on Back, and closing leaves no extra history entry', async () => {
    begin('/');
    await press('To the desk');
    await press('Letter one');
    await heading('letter one');
    expect(window.location.search).toBe('?letter=one');
    window.history.back();
    await heading('desk');
    await press('Letter one');
    await press('Close');
    await heading('desk');
    expect(window.location.search).toBe('');
    window.history.back();
    await screen.findByText('To the desk');
  });

  it('closes in one step after typing or after it was replaced', async () => {
    begin('/');
    await press('To the desk');
    await press('Letter one');
    await press('Search');
    await press('Answer');
    await heading('answer one');
    expect(window.location.search).toBe('?search=a&answer=one');
    await press('Close');
    await heading('desk');
    window.history.back();
    await screen.findByText('To the desk');
  });

  it('closes again after Forward has reopened it', async () => {
    begin('/desk');
    await press('Letter one');
    await press('Close');
    await heading('desk');
    window.history.forward();
    await heading('letter one');
    await press('Close');
    await heading('desk');
  });

  it('closes in one step after turning to another id', async () => {
    begin('/desk');
    await press('Letter one');
    await press('Turn');
    await heading('letter next');
    await press('Close');
    await heading('desk');
    expect(window.location.search).toBe('');
    window.history.forward();
    await heading('letter next');
  });

  it('is replaced in the history when a link led straight to it', async () => {
    begin('/desk?letter=one&search=a');
    const entries = window.history.length;
    await press('Close');
    await heading('desk');
    expect(window.location.pathname + window.location.search).toBe('/desk?search=a');
    expect(window.history.length).toBe(entries);
  });

  it('closes to the screen after an overlay of the same name was opened over it, and Back leads to the first', async () => {
    begin('/desk');
    await press('Letter one');
    await press('Letter two');
    window.history.back();
    await heading('letter one');
    window.history.forward();
    await heading('letter two');
    await press('Close');
    await waitFor(() => expect(window.location.search).toBe(''));
  });
});
