import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { lazy } from '#lib/lazy.ts';
import { AppRouter } from './app-router.tsx';
import { CurrentScreen } from './current-screen.tsx';
import { AppHistory } from './history.ts';

afterEach(cleanup);

describe('the current screen', () => {
  it('unmounts when it is left, while the next one is still loading', async () => {
    const unmountedScreens: string[] = [];
    const Never = lazy(() => new Promise<never>(() => undefined));
    const recordUnmount = (name: string) => unmountedScreens.push(name);
    window.history.pushState(null, '', '/chat');
    const history = new AppHistory();
    const routes = [
      {
        element: <CurrentScreen />,
        children: [
          { path: '/chat', element: <Listening name="chat" onEnd={recordUnmount} /> },
          { path: '/projects/:id', element: <Never /> },
        ],
      },
    ];
    render(<AppRouter history={history} routes={routes} />);
    await act(() => screen.getByRole('button', { name: 'Leave' }).click());
    expect(unmountedScreens).toEqual(['chat']);
    expect(screen.queryByRole('button', { name: 'Leave', hidden: true })).toBeNull();
    history.dispose();
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
