import { useEffect, useState } from 'react';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { checkAvailability, dismissBanner, useIsBannerShown, watchAvailability } from './availability.ts';

export function AvailabilityBanner() {
  const isShown = useIsBannerShown();
  const [isChecking, setChecking] = useState(false);
  useEffect(() => {
    return watchAvailability();
  }, []);
  if (!isShown) return null;
  const retry = async () => {
    setChecking(true);
    await checkAvailability();
    setChecking(false);
  };
  return (
    <Banner
      onDismiss={dismissBanner}
      action={
        <Button size="sm" onPress={() => void retry()} isBusy={isChecking}>
          Retry
        </Button>
      }
    >
      Server is currently unavailable. Some features may not work properly.
    </Banner>
  );
}
