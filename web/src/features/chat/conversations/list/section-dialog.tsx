import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import { type FormEvent, useState } from 'react';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useConversations } from '#entities/conversation/use-conversations.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { RadioGroup } from '#ui/fields/radio-group.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { usePreferences } from '../use-preferences.ts';
import { sectionNames } from './conversation-sections.ts';

const NONE = 'none';
const NEW = 'new';
const OWN = 'own:';

const MAX_NAME_LENGTH = 80;

type Props = { conversation: Conversation; onClose: () => void };

/** A conversation that moves to a section loses its star, because starred ones are listed on top. */
export function SectionDialog({ conversation, onClose }: Props) {
  const currentUserId = useCurrentUser()._id;
  const changePreferences = usePreferences();
  const names = sectionNames(useConversations(true).conversations ?? [conversation]);
  const { section } = conversation.preferences;
  const [choice, setChoice] = useState(names.length === 0 ? NEW : section === null ? NONE : `${OWN}${section}`);
  const [name, setName] = useState('');
  const isNamed = hasVisibleText(name) && name.length <= MAX_NAME_LENGTH;
  const move = (event: FormEvent) => {
    event.preventDefault();
    if (choice === NEW && !isNamed) return;
    const target = choice === NEW ? name.trim() : choice === NONE ? null : choice.slice(OWN.length);
    onClose();
    void changePreferences(conversation, { section: target, starred: false });
  };
  const options = [
    { value: NONE, label: 'No section' },
    ...names.map((label) => ({ value: `${OWN}${label}`, label })),
    { value: NEW, label: 'New section' },
  ];
  return (
    <Dialog
      onClose={onClose}
      title="Move to section"
      description={conversationName(conversation, currentUserId)}
      width="sm"
      isDismissable
    >
      <form onSubmit={move} noValidate>
        <DialogBody>
          {names.length > 0 && <RadioGroup label="Section" options={options} value={choice} onChange={setChoice} />}
          {choice === NEW && (
            <TextField
              label="Section name"
              description="Only you see your sections."
              value={name}
              onChange={setName}
              maxLength={MAX_NAME_LENGTH}
              autoFocus
            />
          )}
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isDisabled={choice === NEW && !isNamed}>
            Move
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
