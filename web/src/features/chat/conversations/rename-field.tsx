import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { hasVisibleText, normalizeName } from '@atrium/proto-events/text/normalize';
import { type FormEvent, useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { useConversationActions } from './use-conversation-actions.ts';

/** Returns the name as the server stores it; empty without visible characters. */
const toStoredName = (name: string) => (hasVisibleText(name) ? normalizeName(name) : '');

const EMPTY = 'Conversation name cannot be empty';

export function RenameField({ conversation }: { conversation: Conversation }) {
  const { change } = useConversationActions();
  const [name, setName] = useState(conversation.title ?? '');
  const [error, setError] = useState<string>();
  const {
    run: save,
    isBusy,
    failure,
  } = useAction(async () => {
    const title = toStoredName(name);
    const renamedConversation = await change(conversation._id, { title });
    setName(renamedConversation.title ?? title);
    showSuccess('Conversation name updated successfully');
  }, 'Failed to update conversation name');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const title = toStoredName(name);
    setError(title ? undefined : EMPTY);
    if (title && title !== conversation.title) void save();
  };
  return (
    <Form onSubmit={submit} noValidate>
      <TextField
        label="Conversation name"
        value={name}
        onChange={(value) => {
          setName(value);
          setError(toStoredName(value) ? undefined : EMPTY);
        }}
        error={error ?? failure?.reason}
        maxLength={200}
      />
      <Button type="submit" isBusy={isBusy} isDisabled={toStoredName(name) === conversation.title}>
        Rename
      </Button>
    </Form>
  );
}

const Form = styled.form`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: ${theme.space[2]};
  align-items: start;
  > button {
    margin-top: 24px;
  }
`;
