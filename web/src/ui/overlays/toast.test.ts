import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Bell } from 'lucide-react';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import {
  currentToast,
  dismissToast,
  holdToast,
  releaseToast,
  showError,
  showReminder,
  showSuccess,
  withdrawReminders,
} from './toast.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  dismissToasts();
  jest.useRealTimers();
});

const wait = (ms: number) => jest.advanceTimersByTime(ms);
const currentTitle = () => currentToast()?.title;

describe('toasts', () => {
  it('are shown for four seconds each, in order, including errors', () => {
    showError('Not sent');
    showSuccess('Saved');
    wait(3_999);
    expect(currentTitle()).toBe('Not sent');
    wait(1);
    expect(currentTitle()).toBe('Saved');
    wait(4_000);
    expect(currentTitle()).toBeUndefined();
  });

  it('are deduplicated while they wait, but repeat the one on screen', () => {
    for (let file = 0; file < 10; file += 1) showError('Failed to upload files', 'No network');
    wait(8_000);
    expect(currentTitle()).toBeUndefined();
  });

  it('stay while held, and then for the rest of their time', () => {
    showError('Not sent');
    wait(3_000);
    holdToast();
    wait(60_000);
    expect(currentTitle()).toBe('Not sent');
    releaseToast();
    wait(999);
    expect(currentTitle()).toBe('Not sent');
    wait(1);
    expect(currentTitle()).toBeUndefined();
  });

  it('are replaced immediately when dismissed', () => {
    showError('Not sent');
    showSuccess('Saved');
    dismissToast(currentToast()?.id ?? 0);
    wait(3_999);
    expect(currentTitle()).toBe('Saved');
  });

  it('for reminders stay until their time, give way to other toasts, and appear once per key', () => {
    const remind = (key: string, minutes: number) =>
      showReminder({ icon: Bell, title: key, key, until: Date.now() + minutes * 60_000, onDismiss: () => undefined });
    remind('Standup', 5);
    remind('Standup', 5);
    wait(4 * 60_000);
    expect(currentTitle()).toBe('Standup');
    showSuccess('Saved');
    expect(currentTitle()).toBe('Saved');
    wait(4_000);
    expect(currentTitle()).toBe('Standup');
    wait(56_000);
    expect(currentTitle()).toBeUndefined();
    remind('Review', 5);
    remind('Retro', 5);
    withdrawReminders((key) => key === 'Retro');
    expect(currentTitle()).toBe('Retro');
  });

  it('are removed when their user leaves, except those from before they signed in', () => {
    showSuccess('Login successful');
    signInAs(buildUser('a'));
    expect(currentTitle()).toBe('Login successful');
    showError('Not sent');
    showError('Not saved');
    holdToast();
    wait(60_000);
    signInAs(buildUser('b'));
    expect(currentTitle()).toBe('Login successful');
    releaseToast();
    wait(4_000);
    expect(currentTitle()).toBeUndefined();
    showSuccess('Saved');
    holdToast();
    signInAs(buildUser('a'));
    expect(currentTitle()).toBeUndefined();
  });
});
