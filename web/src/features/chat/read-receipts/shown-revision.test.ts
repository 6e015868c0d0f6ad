import { expect, it } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { type Revision, useShownRevision } from './shown-revision.ts';

type Current = { revision: Revision; unreadCount: number };

function open(initial: Current) {
  const { result, rerender } = renderHook((current: Current) => useShownRevision(current), { initialProps: initial });
  return {
    result,
    isHeldAfter(current: Current): boolean {
      rerender(current);
      return result.current.isHeld(current.revision);
    },
  };
}

it('messages that are marked as unread while they are shown are held until they are released', () => {
  const { result, isHeldAfter } = open({ revision: 3, unreadCount: 2 });
  expect(result.current.isHeld(3)).toBe(false);
  const marked = { revision: 4, unreadCount: 1 };
  expect(isHeldAfter(marked)).toBe(true);
  act(() => result.current.release());
  expect(isHeldAfter(marked)).toBe(false);
});

it('messages that arrive after those marked as unread were read on another device are not held', () => {
  const { isHeldAfter } = open({ revision: 3, unreadCount: 2 });
  expect(isHeldAfter({ revision: 4, unreadCount: 1 })).toBe(true);
  expect(isHeldAfter({ revision: 4, unreadCount: 0 })).toBe(false);
  expect(isHeldAfter({ revision: 4, unreadCount: 1 })).toBe(false);
});

it('messages that are unread when they become known are not held', () => {
  const { isHeldAfter } = open({ revision: undefined, unreadCount: 0 });
  expect(isHeldAfter({ revision: 7, unreadCount: 2 })).toBe(false);
});

it('replies of a thread are held if marking them as unread has followed it, but not after a reply', () => {
  const unfollowed = { revision: null, unreadCount: 0 };
  expect(open(unfollowed).isHeldAfter({ revision: 9, unreadCount: 2 })).toBe(true);
  const { isHeldAfter } = open(unfollowed);
  expect(isHeldAfter({ revision: 9, unreadCount: 0 })).toBe(false);
  expect(isHeldAfter({ revision: 9, unreadCount: 1 })).toBe(false);
  expect(isHeldAfter(unfollowed)).toBe(false);
  expect(isHeldAfter({ revision: 11, unreadCount: 0 })).toBe(false);
});
