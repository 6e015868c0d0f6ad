import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter, FieldRow } from '#ui/overlays/dialog-parts.ts';
import { Drawer } from '#ui/overlays/drawer.tsx';
import { showError, showSuccess } from '#ui/overlays/toast.ts';

type Open = 'none' | 'dialog' | 'confirm' | 'drawer';

export function GalleryOverlays() {
  const [open, setOpen] = useState<Open>('none');
  const [text, setText] = useState('');
  const close = () => setOpen('none');
  return (
    <Inline $gap={3} $wraps>
      <Button onPress={() => setOpen('dialog')}>Open dialog</Button>
      <Button onPress={() => setOpen('confirm')}>Open confirmation</Button>
      <Button onPress={() => setOpen('drawer')}>Open drawer</Button>
      <Button onPress={() => showSuccess('Login successful', 'Welcome back!')}>Show success</Button>
      <Button onPress={() => showError('Login failed', 'Invalid credentials')}>Show error</Button>
      <Dialog
        isOpen={open === 'dialog'}
        onClose={close}
        title="Create New Project"
        description="Everyone in it is notified by email."
      >
        <DialogBody>
          <TextField label="Project title" value={text} onChange={setText} isRequired />
          <TextArea label="Description" value={text} onChange={setText} />
          <FieldRow>
            <TextField label="Start" value={text} onChange={setText} />
            <TextField label="Due" value={text} onChange={setText} />
          </FieldRow>
        </DialogBody>
        <DialogFooter>
          <Button onPress={close}>Cancel</Button>
          <Button variant="primary" onPress={close}>
            Create project
          </Button>
        </DialogFooter>
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        onClose={close}
        onConfirm={() => Promise.resolve()}
        title="Delete project"
        action="Delete"
        failure="Failed to delete project"
      >
        Are you sure you want to delete this project? This action cannot be undone.
      </ConfirmDialog>
      <Drawer isOpen={open === 'drawer'} onClose={close} label="Navigation">
        <Button variant="ghost" onPress={close}>
          Close
        </Button>
      </Drawer>
    </Inline>
  );
}
