import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { clearTokens, storeTokens } from '../api/tokens.ts';
import { signOut, startSession } from '../session/session.ts';
import { getDraft, hasDrafts, saveDraft, watchDrafts } from './drafts.ts';
import { useDraftState, useStoredDraft, useStoredText } from './use-stored-draft.ts';

const ada = buildUser('a');
const bob = buildUser('b');
const PLACE = 'chat:c1';

beforeAll(() => {
  startSession();
  watchDrafts();
});

beforeEach(() => {
  localStorage.clear();
  act(() => signInAs(ada));
});

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const openForm = (defaults = { title: '', description: 'original' }) =>
  renderHook(() => {
    const form = useForm({ defaultValues: defaults });
    const [hasConflict, setHasConflict] = useState(false);
    const draft = useStoredDraft(form, 'project:new', { onConflict: () => setHasConflict(true) });
    return { form, draft, isDirty: form.formState.isDirty, hasConflict };
  });

/** A reload keeps storage and runs no cleanup. */
function reload(): void {
  const disk = { ...localStorage };
  cleanup();
  for (const [key, value] of Object.entries(disk)) localStorage.setItem(key, value);
}

describe('a draft of text outside a form', () => {
  it('is restored after a reload and deleted when the text becomes empty', () => {
    const { result } = renderHook(() => useStoredText(PLACE));
    act(() => result.current[1]('Good mor'));
    act(() => result.current[1]((text) => `${text}ning`));
    reload();
    const restored = renderHook(() => useStoredText(PLACE));
    expect(restored.result.current[0]).toBe('Good morning');
    act(() => restored.result.current[1](''));
    expect(hasDrafts()).toBe(false);
  });

  it('is private to its user', () => {
    const { result } = renderHook(() => useStoredText(PLACE));
    const write = result.current[1];
    act(() => write('for Ada alone'));
    act(() => signInAs(bob));
    expect(result.current[0]).toBe('');
    // Ada's request failed after Bob had signed in, so its text is written late.
    act(() => result.current[1]('for Bob alone'));
    act(() => write((laterText) => `failed late, ${laterText}`));
    expect(result.current[0]).toBe('for Bob alone');
    act(() => signInAs(ada));
    expect(result.current[0]).toBe('failed late, for Ada alone');
  });

  it('remains when a session expires and is deleted on logout', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    act(() => saveDraft(ada._id, PLACE, 'unfinished'));
    act(() => clearTokens());
    act(() => signInAs(ada));
    expect(getDraft(PLACE)).toBe('unfinished');
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await act(signOut);
    saveDraft(ada._id, PLACE, 'failed after the logout');
    act(() => signInAs(bob));
    saveDraft(ada._id, PLACE, 'failed once Bob was here');
    expect(Object.keys(localStorage).filter((key) => key.startsWith('atrium:draft:'))).toEqual([]);
    act(() => signInAs(ada));
    expect(getDraft(PLACE)).toBeUndefined();
    act(() => saveDraft(ada._id, PLACE, 'back again'));
    act(() => signInAs(bob));
    saveDraft(ada._id, PLACE, 'failed late, without a logout');
    act(() => signInAs(ada));
    expect(getDraft(PLACE)).toBe('failed late, without a logout');
  });
});

describe('a form draft', () => {
  it('restores typed values after a reload as unsaved changes', () => {
    const { result } = openForm();
    act(() => result.current.form.setValue('title', 'Relaunch', { shouldDirty: true }));
    reload();
    const restored = openForm();
    expect(restored.result.current.form.getValues()).toEqual({ title: 'Relaunch', description: 'original' });
    expect(restored.result.current).toMatchObject({ isDirty: true, draft: { isRestored: true } });
  });

  it('stores only changed fields, so that values saved by others are shown', () => {
    const { result } = openForm();
    act(() => result.current.form.setValue('title', 'Relaunch', { shouldDirty: true }));
    reload();
    const restored = openForm({ title: '', description: 'changed by others' });
    expect(restored.result.current.form.getValues()).toEqual({ title: 'Relaunch', description: 'changed by others' });
  });

  it('reports a save by another user since the draft began, each time it is restored', () => {
    const { result } = openForm();
    act(() => result.current.form.setValue('description', 'mine', { shouldDirty: true }));
    reload();
    const theirs = { title: '', description: 'theirs' };
    const restored = openForm(theirs);
    expect(restored.result.current).toMatchObject({ hasConflict: true, draft: { isRestored: true } });
    act(() => restored.result.current.form.setValue('description', 'mine, and more', { shouldDirty: true }));
    reload();
    expect(openForm(theirs).result.current.hasConflict).toBe(true);
    reload();
    expect(openForm({ title: 'different', description: 'original' }).result.current.hasConflict).toBe(false);
  });

  it('is no longer restored after a save, so that later input is not discarded with it', () => {
    const { result } = openForm();
    act(() => result.current.form.setValue('title', 'Relaunch', { shouldDirty: true }));
    reload();
    const restored = openForm();
    act(() => restored.result.current.form.reset({ title: 'Relaunch', description: 'original' }));
    act(() => restored.result.current.form.setValue('title', 'Relaunch in May', { shouldDirty: true }));
    expect(restored.result.current).toMatchObject({ isDirty: true, draft: { isRestored: false } });
  });

  it('remains when the same form closes in another tab', () => {
    const { result, unmount } = openForm();
    act(() => result.current.form.setValue('title', 'Relaunch', { shouldDirty: true }));
    act(() => {
      localStorage.removeItem(`atrium:draft:${ada._id}:project:new`);
      window.dispatchEvent(new StorageEvent('storage', { key: `atrium:draft:${ada._id}:project:new` }));
    });
    expect(hasDrafts()).toBe(true);
    unmount();
    expect(hasDrafts()).toBe(false);
  });

  it('is deleted when the form is saved or discarded', () => {
    const { result, unmount } = openForm();
    act(() => result.current.form.setValue('title', 'Relaunch', { shouldDirty: true }));
    unmount();
    expect(openForm().result.current.draft.isRestored).toBe(false);
  });

  it('resets the form to its defaults when it is discarded', () => {
    const { result } = openForm();
    act(() => result.current.form.setValue('title', 'Relaunch', { shouldDirty: true }));
    reload();
    const restored = openForm();
    act(() => restored.result.current.draft.discard());
    expect(restored.result.current.form.getValues('title')).toBe('');
    expect(restored.result.current.draft.isRestored).toBe(false);
    expect(hasDrafts()).toBe(false);
  });

  it('remains when its user is signed out', () => {
    const { result } = openForm();
    act(() => result.current.form.setValue('title', 'Relaunch', { shouldDirty: true }));
    act(() => signInAs(bob));
    cleanup();
    expect(openForm().result.current.draft.isRestored).toBe(false);
    cleanup();
    act(() => signInAs(ada));
    expect(openForm().result.current.draft.isRestored).toBe(true);
  });
});

describe('the draft of a form without the form library', () => {
  const EMPTY = {
    draftKey: 'channel:new',
    initial: '',
    parse: (stored: unknown) => (stored ? String(stored) : undefined),
  };
  const openState = () => renderHook(() => useDraftState(EMPTY));

  it('is restored after the session ended, and deleted when it is discarded or the form closes', () => {
    const first = openState();
    act(() => first.result.current[1]('design'));
    act(() => clearTokens());
    first.unmount();
    act(() => signInAs(ada));
    const restored = openState();
    expect(restored.result.current).toMatchObject(['design', expect.any(Function), { isRestored: true }, true]);
    act(() => restored.result.current[2].discard());
    expect(restored.result.current).toMatchObject(['', expect.any(Function), { isRestored: false }, false]);
    expect(hasDrafts()).toBe(false);
    act(() => restored.result.current[1]('closed'));
    expect(hasDrafts()).toBe(true);
    restored.unmount();
    expect(hasDrafts()).toBe(false);
  });

  it('remains in one tab when the same form closes in another', () => {
    const openTab = openState();
    const closedTab = openState();
    act(() => closedTab.result.current[1]('of the other tab'));
    act(() => openTab.result.current[1]('of this tab'));
    closedTab.unmount();
    expect(getDraft(EMPTY.draftKey)).toBe('of this tab');
    openTab.unmount();
    expect(hasDrafts()).toBe(false);
  });
});
