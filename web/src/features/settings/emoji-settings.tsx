import type { CustomEmoji, deleteEmoji } from '@atrium/proto-events/http/chat/emoji';
import { isolate } from '@atrium/proto-events/text/isolate';
import { Smile, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { CustomEmojiImage } from '#entities/emoji/custom-emoji-image.tsx';
import { EMOJI_PATH, useEmojiList } from '#entities/emoji/use-custom-emoji.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { call } from '#lib/api/api.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { captionStyles, dividedStyles, ellipsis, inlineStyles } from '#ui/mixins.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { AddEmoji } from './add-emoji.tsx';

/** The custom emoji of the workspace, for administrators. */
export function EmojiSettings() {
  const query = useEmojiList();
  const [deleting, setDeleting] = useState<CustomEmoji>();
  const refetch = useRefetch();
  const remove = async ({ _id, name }: CustomEmoji) => {
    await call<typeof deleteEmoji>('DELETE /chat/emoji/:id', { params: { id: _id } });
    refetch(EMOJI_PATH);
    showSuccess(`:${name}: deleted`);
    setDeleting(undefined);
  };
  return (
    <Content>
      <AddEmoji onAdded={() => refetch(EMOJI_PATH)} />
      <AsyncContent query={query} failure="Failed to load emoji" skeletons={<SkeletonRows count={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={<Smile />} title="No emoji yet" hint="Add one, and everyone can use it in Team Chat." />
          ) : (
            <Rows aria-label="Emoji of the workspace">
              {data.map((emoji) => (
                <Row key={emoji._id}>
                  <CustomEmojiImage emoji={emoji} size={28} />
                  <div>
                    <strong>:{emoji.name}:</strong>
                    <span dir="auto">Added by {isolate(displayName(emoji.createdBy))}</span>
                  </div>
                  <IconButton label={`Delete ${emoji.name}`} onPress={() => setDeleting(emoji)}>
                    <Trash2 />
                  </IconButton>
                </Row>
              ))}
            </Rows>
          )
        }
      </AsyncContent>
      <ConfirmDialog
        isOpen={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        onConfirm={async () => {
          if (deleting) await remove(deleting);
        }}
        title="Delete emoji"
        action="Delete emoji"
        failure="Failed to delete the emoji"
      >
        {`Delete :${deleting?.name ?? ''}:? Messages and reactions will show its name instead.`}
      </ConfirmDialog>
    </Content>
  );
}

const Content = styled.div`
  padding: ${theme.gutter.panel};
`;

const Rows = styled.ul`
  margin: ${theme.space[4]} 0 0;
  padding: 0;
  list-style: none;
`;

const Row = styled.li`
  ${inlineStyles(3)}
  ${dividedStyles}
  padding: ${theme.space[2]} 0;
  > :first-child {
    flex: none;
    width: ${theme.control};
  }
  > div {
    display: grid;
    flex: 1;
    min-width: 0;
    > * {
      ${ellipsis}
    }
    > span {
      ${captionStyles}
    }
  }
`;
