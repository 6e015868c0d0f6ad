import { useState, useSyncExternalStore } from 'react';
import { saveTimeZone, useCurrentUser } from '#lib/session/session.ts';
import { deviceStorage } from '#lib/storage.ts';
import { browserTimeZone, cityOf, isSameZone } from '#lib/time-zone.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useAction } from '#ui/overlays/use-action.ts';

export function TimeZoneBanner() {
  return <TimeZoneQuestion here={useSyncExternalStore(onReturn, browserTimeZone)} />;
}

/**
 * Asks once per new device zone whether to update the user's zone, which applies to working hours and times in emails.
 */
export function TimeZoneQuestion({ here }: { here: string }) {
  const { _id, timezone } = useCurrentUser();
  const [declined, setDeclined] = useState(() => declinedZones(_id));
  const update = useAction(() => saveTimeZone(here), 'Failed to update your time zone');
  // A profile in UTC takes the browser's zone without asking; a browser in UTC is remote, or hides its zone.
  if (timezone === 'UTC' || here === 'UTC' || isSameZone(here, timezone) || declined.includes(here)) return null;
  const keep = () => {
    deviceStorage.write(keyOf(_id), JSON.stringify([...declined, here]));
    setDeclined([...declined, here]);
  };
  return (
    <Banner
      role="status"
      action={
        <>
          <Button size="sm" variant="primary" isBusy={update.isBusy} onPress={() => void update.run()}>
            Update to {cityOf(here)}
          </Button>
          <Button size="sm" onPress={keep}>
            Keep {cityOf(timezone)}
          </Button>
        </>
      }
    >
      Your time zone is {cityOf(timezone)}, but this device is set to {cityOf(here)}.
      {update.failure && ` ${update.failure}`}
    </Banner>
  );
}

/** The user may have traveled while the page was in the background. */
function onReturn(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const keyOf = (userId: string) => `atrium:declined-time-zones:${userId}`;

function declinedZones(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(deviceStorage.read(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}
