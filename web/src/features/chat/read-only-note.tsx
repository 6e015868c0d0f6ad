import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { Archive, Megaphone } from 'lucide-react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { iconSize } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { useRestore } from './conversations/use-restore.ts';

/** Shown instead of the composer where the user cannot write. */
export function ReadOnlyNote({ conversation: { _id, archived, abilities } }: { conversation: Conversation }) {
  const restore = useRestore(_id);
  if (!archived)
    return (
      <Note role="note">
        <Megaphone aria-hidden="true" />
        <p>Only managers of this channel can write here. You can reply in threads.</p>
      </Note>
    );
  return (
    <Note role="note">
      <Archive aria-hidden="true" />
      <p>This channel is archived. Its messages stay readable.</p>
      {abilities.archive && (
        <Button size="sm" onPress={() => void restore.run()} isBusy={restore.isBusy}>
          Restore
        </Button>
      )}
    </Note>
  );
}

const Note = styled.div`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 52px;
  padding: ${theme.space[2]} ${theme.space[4]};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.sunken};
  color: ${theme.color.text2};
  ${iconSize(18)}
  svg {
    flex: none;
  }
  p {
    flex: 1;
    min-width: 0;
    text-wrap: pretty;
  }
`;
