import type { listMessages } from '@atrium/proto-events/http/chat/messages';
import { useState } from 'react';
import { call } from '#lib/api/api.ts';
import { type Day, dateOfDay } from '#lib/time/day.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';

type Props = { conversationId: string; onFound: (seq: number) => void; onClose: () => void };

export function JumpToDate({ conversationId, onFound, onClose }: Props) {
  const [day, setDay] = useState<Day | ''>('');
  const [error, setError] = useState<string>();
  const pick = async (picked: Day | '') => {
    setDay(picked);
    setError(undefined);
    const start = dateOfDay(picked);
    if (!start) return;
    try {
      const seq = await findFirstSeq(conversationId, start);
      if (seq === undefined) return setError('There are no messages on or after that day');
      onFound(seq);
      onClose();
    } catch (failure) {
      showErrorToast(failure, 'Failed to load messages');
    }
  };
  return (
    <Dialog title="Jump to date" width="sm" onClose={onClose} isDismissable>
      <DialogBody>
        <DatePicker label="Day" value={day} onChange={(picked) => void pick(picked)} error={error} isRequired />
      </DialogBody>
    </Dialog>
  );
}

async function findFirstSeq(conversationId: string, start: Date): Promise<number | undefined> {
  const query = { conversation: conversationId, from: start.toISOString(), limit: 1 };
  const { data } = await call<typeof listMessages>('GET /chat/messages', { query });
  return data[0]?.seq;
}
