import { useState } from 'react';
import { saveTimeZone, useCurrentUser } from '#lib/session/session.ts';
import { deviceStorage } from '#lib/storage.ts';
import { cityOf, isSameZone } from '#lib/time/time-zone.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useAction } from '#ui/overlays/use-action.ts';

/**
 * Asks once per new device zone whether to update the user's zone, which applies to working hours and times in emails.
 */
export function TimeZoneQuestion({ deviceZone }: { deviceZone: string }) {
  const { _id, timezone } = useCurrentUser();
  const [declinedZones, setDeclinedZones] = useState(() => readDeclinedZones(_id));
  const update = useAction(() => saveTimeZone(deviceZone), 'Failed to update your time zone');
  // A profile in UTC takes the browser's zone without asking; a browser in UTC is remote, or hides its zone.
  if (
    timezone === 'UTC' ||
    deviceZone === 'UTC' ||
    isSameZone(deviceZone, timezone) ||
    declinedZones.includes(deviceZone)
  )
    return null;
  const decline = () => {
    deviceStorage.write(toStorageKey(_id), JSON.stringify([...declinedZones, deviceZone]));
    setDeclinedZones([...declinedZones, deviceZone]);
  };
  return (
    <Banner
      role="status"
      action={
        <>
          <Button size="sm" variant="primary" isBusy={update.isBusy} onPress={() => void update.run()}>
            Update to {cityOf(deviceZone)}
          </Button>
          <Button size="sm" onPress={decline}>
            Keep {cityOf(timezone)}
          </Button>
        </>
      }
    >
      Your time zone is {cityOf(timezone)}, but this device is set to {cityOf(deviceZone)}.
      {update.failure && ` ${update.failure}`}
    </Banner>
  );
}

const toStorageKey = (userId: string) => `atrium:declined-time-zones:${userId}`;

function readDeclinedZones(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(deviceStorage.read(toStorageKey(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}
