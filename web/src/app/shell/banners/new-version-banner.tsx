import { useState } from 'react';
import { reloadPage } from '#lib/forms/unsaved-changes.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useIsReloadOffered } from './new-version.ts';

/** Never reloads automatically: the user may have unfinished work. */
export function NewVersionBanner() {
  const isOffered = useIsReloadOffered();
  const [isDismissed, setDismissed] = useState(false);
  if (!isOffered || isDismissed) return null;
  return (
    <Banner
      onDismiss={() => setDismissed(true)}
      action={
        <Button size="sm" onPress={() => reloadPage()}>
          Reload
        </Button>
      }
    >
      A new version of Atrium is ready.
    </Banner>
  );
}
