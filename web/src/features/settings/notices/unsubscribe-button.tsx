import type { unsubscribe } from '@atrium/proto-events/http/notices/unsubscribe';
import { useState } from 'react';
import { call } from '#lib/api/api.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { Button } from '#ui/button.tsx';
import { showErrorToast } from '#ui/overlays/toast.ts';

type Props = { token: string; onDone: () => void; onInvalid: () => void };

/** Needs no sign-in: the link is the credential, as for the button of mail programs (RFC 8058). */
export function UnsubscribeButton({ token, onDone, onInvalid }: Props) {
  const [isBusy, setIsBusy] = useState(false);
  const turnOff = async () => {
    setIsBusy(true);
    try {
      const route = 'POST /notifications/unsubscribe/:token';
      await call<typeof unsubscribe>(route, { params: { token } }, { isAnonymous: true });
      onDone();
    } catch (error) {
      setIsBusy(false);
      if (error instanceof ApiError && (error.code === 'invalid_token' || error.status === 404)) return onInvalid();
      showErrorToast(error, 'Failed to turn off emails. Please try again.');
    }
  };
  return (
    <Button variant="primary" isFullWidth isBusy={isBusy} onPress={turnOff}>
      Turn Off Emails
    </Button>
  );
}
