import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { setDelivery } from './delivery.ts';
import { setPreference } from './device-preferences.ts';
import { DeviceNotificationSettings } from './device-settings.tsx';

/** The prompts of the browser, and how the user answers them. */
let prompts: number;
let answer: NotificationPermission;

function mockBrowser(permission: NotificationPermission): void {
  prompts = 0;
  const mock = {
    permission,
    async requestPermission() {
      // Browsers show no second prompt once the user has decided.
      if (mock.permission !== 'default') return mock.permission;
      prompts += 1;
      mock.permission = answer;
      return answer;
    },
  };
  const serviceWorker = { getRegistration: async () => undefined };
  Object.defineProperty(globalThis, 'Notification', { value: mock, configurable: true });
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false }, configurable: true });
}

beforeEach(() => {
  localStorage.clear();
  act(() => signInAs(buildUser('m')));
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'Notification');
  for (const name of ['serviceWorker', 'userActivation']) Reflect.deleteProperty(navigator, name);
});

const onDevice = () => screen.getByRole('switch', { name: 'Show notifications on this device' }) as HTMLInputElement;
const sound = () => screen.queryByRole('switch', { name: 'Play a sound while Atrium is open' });
const status = () => screen.getByRole('status').textContent;
const show = () => render(<DeviceNotificationSettings />);

it('a private window without service workers says what to do instead', () => {
  show();
  expect(onDevice().disabled).toBe(true);
  expect(status()).toMatch(/^This browser or private window can’t show notifications\./);
});

it('a browser that blocks notifications shows no prompt', async () => {
  mockBrowser('denied');
  show();
  expect(onDevice().disabled).toBe(true);
  expect(status()).toMatch(/^Your browser blocks notifications from Atrium\. Allow them in its site settings/);
  await userEvent.click(onDevice());
  expect(prompts).toBe(0);
});

it.each([
  ['denied', /^Your browser blocks notifications/],
  ['default', /^Your browser will ask for permission\./],
] as const)('turning on stays off if the answer to the prompt is “%s”', async (permission, text) => {
  mockBrowser('default');
  answer = permission;
  show();
  expect(status()).toMatch(/^Your browser will ask for permission\./);
  await userEvent.click(onDevice());
  expect(prompts).toBe(1);
  expect(onDevice().checked).toBe(false);
  expect(status()).toMatch(text);
  expect(sound()).toBeNull();
});

it('a second user of a browser that allows notifications starts without them', async () => {
  mockBrowser('granted');
  act(() => setPreference('notifications', true));
  show();
  expect(onDevice().checked).toBe(true);
  act(() => signInAs(buildUser('n')));
  expect(onDevice().checked).toBe(false);
  expect(status()).toBe('You can turn this off at any time.');
  await userEvent.click(onDevice());
  expect([onDevice().checked, prompts]).toEqual([true, 0]);
});

describe('while notifications are on', () => {
  it.each([
    ['pushed', /even while it’s closed/],
    ['while-open', /Nothing can be shown while it’s closed/],
    ['failed', /Reload the page to try again/],
  ] as const)('says how they arrive: %s', (delivery, text) => {
    mockBrowser('granted');
    act(() => setPreference('notifications', true));
    show();
    act(() => setDelivery(delivery));
    expect(status()).toMatch(text);
  });

  it('the sound is off until the user turns it on, for this device', async () => {
    mockBrowser('granted');
    act(() => setPreference('notifications', true));
    show();
    expect((sound() as HTMLInputElement).checked).toBe(false);
    await userEvent.click(sound() as HTMLElement);
    expect((sound() as HTMLInputElement).checked).toBe(true);
    cleanup();
    show();
    expect((sound() as HTMLInputElement).checked).toBe(true);
  });
});
