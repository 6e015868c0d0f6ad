import { MAX_POLL_OPTIONS, MIN_POLL_OPTIONS } from '@atrium/proto-events/http/chat/message-parts';
import { type createPoll, MAX_OPTION_LENGTH, MAX_QUESTION_LENGTH } from '@atrium/proto-events/http/chat/polls';
import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { styled } from 'styled-components';
import { call } from '#lib/api/api.ts';
import { useCloseDialog, useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Checkbox } from '#ui/fields/toggles.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { sentWriter } from '../log/write-messages.ts';
import { useOptionFields } from './use-option-fields.ts';

type Props = { conversationId: string; onClose: () => void };

export function PollDialog({ conversationId, onClose }: Props) {
  return (
    <Dialog title="Create a poll" onClose={onClose}>
      <PollForm conversationId={conversationId} onClose={onClose} />
    </Dialog>
  );
}

function PollForm({ conversationId, onClose }: Props) {
  const [question, setQuestion] = useState('');
  const [multiple, setMultiple] = useState(false);
  const [anonymous, setAnonymous] = useState(false);
  const [clientMessageId] = useState(newUuid);
  const fields = useOptionFields();
  const options = fields.options.map(({ text }) => text).filter(hasVisibleText);
  useUnsavedChanges(question !== '' || options.length > 0);
  const close = useCloseDialog();
  const isRepeated = new Set(options.map((text) => text.trim())).size < options.length;
  const isTooLong = question.length > MAX_QUESTION_LENGTH || options.some((text) => text.length > MAX_OPTION_LENGTH);
  const isComplete = hasVisibleText(question) && options.length >= MIN_POLL_OPTIONS && !isRepeated && !isTooLong;
  const send = useAction(async () => {
    const body = { conversation: conversationId, question, options, multiple, anonymous, clientMessageId };
    const writeSent = sentWriter(conversationId);
    writeSent(await call<typeof createPoll>('POST /chat/polls', { body }));
    onClose();
  }, 'Failed to send the poll');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) void send.run();
  };
  return (
    <form onSubmit={submit} noValidate>
      <DialogBody>
        <TextField
          label="Question"
          value={question}
          onChange={setQuestion}
          maxLength={MAX_QUESTION_LENGTH}
          isRequired
          autoFocus
        />
        <Options role="group" aria-label="Options" ref={fields.list} onKeyDown={fields.onKeyDown}>
          {fields.options.map(({ key, text }, index) => (
            <Row key={key}>
              <TextField
                label={`Option ${index + 1}`}
                value={text}
                onChange={(next) => fields.write(key, next)}
                maxLength={MAX_OPTION_LENGTH}
              />
              <IconButton
                label={`Remove option ${index + 1}`}
                isDisabled={fields.options.length <= MIN_POLL_OPTIONS}
                onPress={() => fields.remove(key)}
              >
                <X />
              </IconButton>
            </Row>
          ))}
        </Options>
        <Problem aria-live="polite">{isRepeated && 'The options must be different.'}</Problem>
        {fields.options.length < MAX_POLL_OPTIONS && (
          <Add size="sm" icon={<Plus />} onPress={fields.add}>
            Add option
          </Add>
        )}
        <Checkbox isSelected={multiple} onChange={setMultiple}>
          People can choose several options
        </Checkbox>
        <Checkbox isSelected={anonymous} onChange={setAnonymous}>
          Anonymous: nobody sees who voted for what
        </Checkbox>
        <FormFailure failure={send.failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={close}>Cancel</Button>
        <Button type="submit" variant="primary" isDisabled={!isComplete} isBusy={send.isBusy}>
          Send poll
        </Button>
      </DialogFooter>
    </form>
  );
}

const Options = styled.div`
  display: grid;
  gap: ${theme.space[2]};
`;

const Row = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: end;
  gap: ${theme.space[1]};
`;

const Add = styled(Button)`
  align-self: start;
`;

const Problem = styled.p`
  &:empty {
    margin-block-start: calc(-1 * ${theme.space[4]});
  }
  font: ${theme.text.sm};
  color: ${theme.color.danger};
`;
