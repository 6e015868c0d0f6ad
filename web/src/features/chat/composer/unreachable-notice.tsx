import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { UserSummary } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { X } from 'lucide-react';
import { styled } from 'styled-components';
import { countOthers, displayName, nameOrCount } from '#entities/user/user-labels.ts';
import { formatList } from '#lib/time/formats.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { FormFailure, Notice, NoticeLine } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { useConversationActions } from '../conversations/use-conversation-actions.ts';
import { dismissUnreachable } from '../mentions/unreachable.ts';
import { focusComposer } from '../sending/focus-composer.ts';

const MAX_NAMES = 3;

type Props = { conversation: Conversation; logId: string; users: readonly UserSummary[] };

export function UnreachableNotice({ conversation, logId, users }: Props) {
  const { addParticipant } = useConversationActions();
  const { run, isBusy, failure } = useAction(async () => {
    for (const { _id } of users) await addParticipant(conversation._id, _id);
    showSuccess(`${isolate(nameOrCount(users))} added to the conversation`);
    dismissUnreachable(logId);
  }, 'Failed to add to the conversation');
  return (
    <Frame>
      <Notice>
        <Line>
          <span>{unreachableText(users)}</span>
          {conversation.abilities.addPeople && (
            <Button size="sm" isBusy={isBusy} onPress={() => void run()}>
              Add
            </Button>
          )}
          <IconButton
            label="Dismiss"
            onPress={(press) => {
              focusComposer(press);
              dismissUnreachable(logId);
            }}
          >
            <X />
          </IconButton>
        </Line>
        <FormFailure failure={failure} />
      </Notice>
    </Frame>
  );
}

export function unreachableText(users: readonly UserSummary[]): string {
  const verb = users.length === 1 ? 'is' : 'are';
  return `${listNames(users)} ${verb} not in this conversation and did not see your mention.`;
}

function listNames(users: readonly UserSummary[]): string {
  const names = users.slice(0, MAX_NAMES).map((user) => isolate(displayName(user)));
  return formatList([...names, ...countOthers(users.length - names.length)]);
}

const Frame = styled.div`
  padding-top: ${theme.space[2]};
`;

const Line = styled(NoticeLine)`
  > span {
    flex: 1 1 200px;
  }
`;
