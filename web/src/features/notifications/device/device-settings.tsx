import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { Switch } from '#ui/fields/toggles.tsx';
import { Caption } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { type Delivery, useDelivery } from './delivery.ts';
import { isSupported, setPreference, usePreference } from './device-preferences.ts';
import { playSound } from './play-sound.ts';
import { unsubscribeBrowser } from './push-subscription.ts';

/** Notifications of this device. The browser asks for permission when the user turns them on. */
export function DeviceNotificationSettings() {
  const [permission, setPermission] = usePermission();
  const isOn = usePreference('notifications') && permission === 'granted';
  const hasSound = usePreference('sound');
  const delivery = useDelivery();
  const turnOn = async () => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    if (answer === 'granted') setPreference('notifications', true);
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
      <Switch
        isSelected={isOn}
        isDisabled={permission === undefined || permission === 'denied' || change.isBusy}
        onChange={(next) => void change.run(next)}
      >
        Show notifications on this device
      </Switch>
      <Caption role="status">{statusText(permission, isOn ? delivery : 'off')}</Caption>
      {isOn && (
        <Switch isSelected={hasSound} onChange={setSound}>
          Play a sound while Atrium is open
        </Switch>
      )}
      <FormFailure failure={change.failure} />
    </Fields>
  );
}

/** Follows changes in the settings of the browser; undefined if it cannot show notifications. */
function usePermission() {
  const [permission, setPermission] = useState<NotificationPermission | undefined>(
    isSupported() ? Notification.permission : undefined,
  );
  useEffect(() => {
    if (!isSupported()) return undefined;
    const stop = new AbortController();
    const follow = async () => {
      const status = await navigator.permissions.query({ name: 'notifications' });
      status.addEventListener('change', () => setPermission(Notification.permission), { signal: stop.signal });
    };
    // Without it, the next visit shows the change.
    follow().catch(() => undefined);
    return () => stop.abort();
  }, []);
  return [permission, setPermission] as const;
}

const STATUS_TEXTS: Readonly<Record<Delivery | 'off', string>> = {
  off: 'You can turn this off at any time.',
  starting: '',
  pushed: 'You’ll see them whenever you’re not looking at Atrium, even while it’s closed.',
  'while-open': 'You’ll see them while Atrium is open in a tab. Nothing can be shown while it’s closed.',
  failed: 'This browser failed to set up notifications. Reload the page to try again.',
};

function statusText(permission: NotificationPermission | undefined, status: Delivery | 'off'): string {
  if (permission === undefined)
    return 'This browser or private window can’t show notifications. On an iPhone or iPad, add Atrium to the Home Screen first.';
  if (permission === 'denied')
    return 'Your browser blocks notifications from Atrium. Allow them in its site settings first.';
  return permission === 'default' ? `Your browser will ask for permission. ${STATUS_TEXTS.off}` : STATUS_TEXTS[status];
}

const Fields = styled.div`
  display: grid;
  justify-items: start;
  gap: ${theme.space[1]};
  padding: ${theme.space[4]} ${theme.gutter.panel};
  border-bottom: 1px solid ${theme.color.line};
`;
