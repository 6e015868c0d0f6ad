import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { type Handler, startApi } from '#test/api-server.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import Unsubscribe from './unsubscribe.tsx';

const TOKEN = `${'a'.repeat(24)}-mention,task_comment-${'0'.repeat(40)}`;

let response: ReturnType<Handler>;
let calls: string[];
let stop: () => Promise<void>;

beforeEach(async () => {
  calls = [];
  response = { status: 200, body: { kinds: ['mention', 'task_comment'] } };
  ({ stop } = await startApi(({ method, path }) => {
    calls.push(`${method} ${decodeURIComponent(path)}`);
    return response;
  }));
});
afterEach(async () => {
  cleanup();
  dismissToasts();
  await stop();
});

function visit(token: string): void {
  window.history.pushState(null, '', `/unsubscribe/${token}`);
  render(
    <BrowserRouter useTransitions={false}>
      <Routes>
        <Route path="/unsubscribe/:token" element={<Unsubscribe />} />
      </Routes>
    </BrowserRouter>,
  );
}

const turnOff = () => userEvent.click(screen.getByRole('button', { name: 'Turn Off Emails' }));
const listKinds = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

describe('the page of an unsubscribe link', () => {
  it('asks before it turns off emails, and says which', async () => {
    visit(TOKEN);
    expect(screen.getByRole('heading', { name: 'Turn off these emails?' })).toBeTruthy();
    expect(listKinds()).toEqual(['Mentions', 'Comments on tasks']);
    expect(calls).toEqual([]);
    await turnOff();
    expect(await screen.findByRole('heading', { name: 'Emails turned off' })).toBeTruthy();
    expect(listKinds()).toEqual(['Mentions', 'Comments on tasks']);
    expect(calls).toEqual([`POST /api/notifications/unsubscribe/${TOKEN}`]);
    expect(screen.getByRole('link', { name: 'Open Account Settings' }).getAttribute('href')).toBe(
      '/settings#notifications',
    );
  });

  it('leads to the settings if the link is invalid', async () => {
    response = { status: 400, body: { message: 'This link is invalid', code: 'invalid_token' } };
    visit(TOKEN);
    await turnOff();
    expect(await screen.findByRole('heading', { name: 'This link is invalid' })).toBeTruthy();
    cleanup();
    visit('incomplete');
    expect(screen.getByRole('heading', { name: 'This link is invalid' })).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('can be retried after a failure', async () => {
    response = { status: 503, body: { message: 'Unavailable', code: 'unavailable' } };
    visit(TOKEN);
    await turnOff();
    response = { status: 200, body: { kinds: ['mention', 'task_comment'] } };
    await turnOff();
    expect(await screen.findByRole('heading', { name: 'Emails turned off' })).toBeTruthy();
  });
});
