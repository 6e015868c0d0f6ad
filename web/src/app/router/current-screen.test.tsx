import '../../../test/browser-gaps.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { Route, Routes, useNavigate } from 'react-router-dom';
import { lazy } from '../../lib/lazy.ts';
import { CurrentScreen } from './current-screen.tsx';
import { GuardedRouter } from './guarded-router.tsx';

afterEach(cleanup);

describe('the screen of the address', () => {
  it('ends when it is left, while the next one is still on its way', async () => {
    const ended: string[] = [];
    const Never = lazy(() => new Promise<never>(() => undefined));
    const note = (name: string) => ended.push(name);
    window.history.pushState(null, '', '/chat');
    render(
      <GuardedRouter>
        <Routes>
          <Route element={<CurrentScreen />}>
            <Route path="/chat" element={<Listening name="chat" onEnd={note} />} />
            <Route path="/projects/:id" element={<Never />} />
          </Route>
        </Routes>
      </GuardedRouter>,
    );
    await act(() => screen.getByRole('button', { name: 'Leave' }).click());
    expect(ended).toEqual(['chat']);
    expect(screen.queryByRole('button', { name: 'Leave', hidden: true })).toBeNull();
  });
});

function Listening({ name, onEnd }: { name: string; onEnd: (name: string) => unknown }) {
  const navigate = useNavigate();
  useEffect(() => {
    return () => void onEnd(name);
  }, [name, onEnd]);
  return (
    <button type="button" onClick={() => void navigate('/projects/1')}>
      Leave
    </button>
  );
}
