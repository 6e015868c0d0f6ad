import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import {
  blockUnload,
  leavePage,
  navigateUnblocked,
  reloadPage,
  useUnsavedChanges,
} from '#lib/forms/unsaved-changes.ts';
import { AppRouter } from './app-router.tsx';
import { AppHistory } from './history.ts';

function Form() {
  useUnsavedChanges(true);
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  return (
    <>
      <h1>Form {params.get('tab')}</h1>
      <button type="button" onClick={() => setParams({ tab: 'two' }, { replace: true })}>
        Other tab
      </button>
      <button type="button" onClick={() => setParams({ tab: 'three' })}>
        One step on
      </button>
      <button type="button" onClick={() => navigateUnblocked(() => void navigate(-1))}>
        One step back
      </button>
      <Link to="/list">To the list</Link>
    </>
  );
}

function List() {
  return (
    <>
      <h1>List</h1>
      <Link to="/form">To the form</Link>
    </>
  );
}

const routes = [
  { path: '/form', element: <Form /> },
  { path: '/list', element: <List /> },
];

let history: AppHistory;

beforeEach(async () => {
  window.history.pushState(null, '', '/list');
  history = new AppHistory();
  render(<AppRouter history={history} routes={routes} />);
  await userEvent.click(screen.getByText('To the form'));
});

afterEach(() => {
  cleanup();
  history.dispose();
});

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('a page with unsaved changes', () => {
  it('asks before a link leaves it', async () => {
    await userEvent.click(screen.getByText('To the list'));
    await press('Keep editing');
    expect(screen.getByText('Form')).toBeTruthy();
    await userEvent.click(screen.getByText('To the list'));
    await press('Discard changes');
    expect(await screen.findByText('List')).toBeTruthy();
    expect(window.location.pathname).toBe('/list');
  });

  it('asks before Back leaves it, and keeps the URL meanwhile', async () => {
    act(() => window.history.back());
    await press('Keep editing');
    expect(window.location.pathname).toBe('/form');
    act(() => window.history.back());
    await press('Discard changes');
    expect(await screen.findByText('List')).toBeTruthy();
    expect(window.location.pathname).toBe('/list');
  });

  it('does not ask when a link stays on it', async () => {
    await userEvent.click(screen.getByText('Other tab'));
    expect(screen.getByText('Form two')).toBeTruthy();
    expect(window.location.search).toBe('?tab=two');
  });

  it('asks before Back changes its query, which may close an overlay', async () => {
    await userEvent.click(screen.getByText('One step on'));
    act(() => window.history.back());
    await press('Keep editing');
    expect(window.location.search).toBe('?tab=three');
    act(() => window.history.back());
    await press('Discard changes');
    await waitFor(() => expect(window.location.search).toBe(''));
  });

  it('does not ask when an overlay closes itself, and asks at the next Back', async () => {
    await userEvent.click(screen.getByText('One step on'));
    await userEvent.click(screen.getByText('One step back'));
    await waitFor(() => expect(window.location.search).toBe(''));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    act(() => window.history.back());
    await press('Keep editing');
    expect(window.location.pathname).toBe('/form');
  });

  it('asks once before a reload, which then needs no confirmation by the browser', async () => {
    // jsdom cannot reload and reports that.
    const consoleError = jest.spyOn(console, 'error').mockReturnValue(undefined);
    const unblock = blockUnload();
    let prepareCount = 0;
    const reload = () =>
      act(() =>
        reloadPage(() => {
          prepareCount += 1;
        }),
      );
    const isBlockedByBrowser = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    reload();
    await screen.findByText('The page has to reload, and your changes have not been saved.');
    await press('Keep editing');
    expect([prepareCount, isBlockedByBrowser()]).toEqual([0, true]);
    reload();
    await press('Discard changes');
    expect([prepareCount, isBlockedByBrowser()]).toEqual([1, false]);
    expect(consoleError.mock.calls).toEqual([[expect.objectContaining({ type: 'not implemented' })]]);
    consoleError.mockRestore();
    unblock();
  });

  it('asks before signing out even if only drafts and uploads elsewhere are lost, and says so', async () => {
    let leaveCount = 0;
    // The list has no unsaved changes.
    await userEvent.click(screen.getByText('To the list'));
    await press('Discard changes');
    await screen.findByText('List');
    act(() =>
      leavePage(() => {
        leaveCount += 1;
      }, true),
    );
    await screen.findByRole('alertdialog', { name: 'Log out?' });
    await screen.findByText(/here or in other tabs/);
    await press('Stay logged in');
    expect(leaveCount).toBe(0);
  });

  it('asks before signing out discards its changes', async () => {
    let leaveCount = 0;
    act(() =>
      leavePage(() => {
        leaveCount += 1;
      }),
    );
    await press('Keep editing');
    expect(leaveCount).toBe(0);
    act(() =>
      leavePage(() => {
        leaveCount += 1;
      }),
    );
    await press('Discard changes');
    expect(leaveCount).toBe(1);
  });
});
