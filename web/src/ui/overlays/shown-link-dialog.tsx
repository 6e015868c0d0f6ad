import { useEffect, useRef } from 'react';
import { TextField } from '../fields/text-field.tsx';
import { Dialog } from './dialog.tsx';
import { DialogBody } from './dialog-parts.ts';

type Props = { address: string; onClose: () => void };

export function ShownLinkDialog({ address, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <Dialog isOpen onClose={onClose} title="Copy link" width="sm">
      <DialogBody>
        <TextField
          label="Link"
          value={address}
          onChange={() => undefined}
          description="Your browser does not allow copying here. Press Ctrl+C or ⌘C."
          isReadOnly
          ref={field}
        />
      </DialogBody>
    </Dialog>
  );
}
