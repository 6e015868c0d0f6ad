import { useState } from 'react';
import { styled } from 'styled-components';
import { Switch } from '#ui/fields/toggles.tsx';
import { Caption } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { areNotificationsOn, isSupported, setPreference, usePreference } from './device-preferences.ts';
import { playSound } from './play-sound.ts';
import { registerWorker, subscribeBrowser, unsubscribeBrowser } from './push-subscription.ts';

/** Notifications of this device. The browser asks for permission when the user turns them on. */
export function DeviceNotificationSettings() {
  const isOn = usePreference('notifications') && areNotificationsOn();
  const hasSound = usePreference('sound');
  const [isBlocked, setBlocked] = useState(isSupported() && Notification.permission === 'denied');
  const turnOn = async () => {
    const permission = await Notification.requestPermission();
    setBlocked(permission === 'denied');
    if (permission !== 'granted') return;
    await subscribeBrowser(await registerWorker());
    setPreference('notifications', true);
  };
  const turnOff = async () => {
    setPreference('notifications', false);
    await unsubscribeBrowser();
  };
  const change = useAction(
    (next: boolean) => (next ? turnOn() : turnOff()),
    'Failed to change the notifications of this device',
  );
  const setSound = (next: boolean) => {
    setPreference('sound', next);
    if (next) playSound();
  };
  return (
    <Fields>
      <Switch isSelected={isOn} isDisabled={!isSupported() || change.isBusy} onChange={(next) => void change.run(next)}>
        Show notifications on this device
      </Switch>
      <Caption role="status">{statusText({ isOn, isBlocked })}</Caption>
      {isOn && (
        <Switch isSelected={hasSound} onChange={setSound}>
          Play a sound while Atrium is open
        </Switch>
      )}
      <FormFailure failure={change.failure} />
    </Fields>
  );
}

function statusText({ isOn, isBlocked }: { isOn: boolean; isBlocked: boolean }): string {
  if (!isSupported())
    return 'This browser can’t show notifications. On an iPhone or iPad, add Atrium to the Home Screen first.';
  if (isBlocked) return 'Your browser blocks notifications from Atrium. Allow them in its site settings first.';
  return isOn
    ? 'You see them while you’re not looking at Atrium.'
    : 'Your browser will ask for permission. You can turn this off at any time.';
}

const Fields = styled.div`
  display: grid;
  justify-items: start;
  gap: ${theme.space[1]};
  padding: ${theme.space[4]} ${theme.gutter.panel};
  border-bottom: 1px solid ${theme.color.line};
`;
