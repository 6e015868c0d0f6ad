import type { Comment, Task } from '@atrium/proto-events/http/tasks';
import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import { Trash2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { styled } from 'styled-components';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { useComments } from '#entities/task/use-tasks.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { useStoredText } from '#lib/forms/use-stored-draft.ts';
import { useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Text } from '#ui/layout/primitives.ts';
import { captionStyles, inlineStyles } from '#ui/mixins.ts';
import { FormFailure } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';

export function TaskComments({ task }: { task: Task }) {
  const [pages, setPages] = useState(1);
  const older = useComments(task._id, pages);
  const comments = joinComments(task.comments ?? [], older.data?.data ?? []);
  const paging = loadMoreProps(older, pages, setPages);
  const hasMore = older.data ? paging.hasMore : task.commentCount > comments.length;
  return (
    <Section aria-label="Comments">
      <h3>
        Comments{' '}
        <Text $size="sm" $tone="text2" $tabular>
          {task.commentCount}
        </Text>
      </h3>
      {task.abilities.comment ? (
        <CommentComposer taskId={task._id} />
      ) : (
        <Text as="p" $tone="text2">
          {task.denialReasons?.comment}
        </Text>
      )}
      {comments.length === 0 && (
        <Text as="p" $tone="text2">
          No comments yet.
        </Text>
      )}
      <List aria-live="polite" tabIndex={-1}>
        {comments.map((comment) => (
          <CommentItem key={comment._id} comment={comment} taskId={task._id} />
        ))}
      </List>
      {hasMore && <ShowMore more={paging} />}
    </Section>
  );
}

function joinComments(latest: readonly Comment[], older: readonly Comment[]): Comment[] {
  const byId = new Map([...older, ...latest].map((comment) => [comment._id, comment]));
  return [...byId.values()].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b._id.localeCompare(a._id));
}

function CommentItem({ comment, taskId }: { comment: Comment; taskId: string }) {
  const [isConfirming, setConfirming] = useState(false);
  const { removeComment } = useTaskActions();
  const name = displayName(comment.author);
  return (
    <Item>
      <Avatar user={comment.author} size={28} />
      <div>
        <By>
          <strong dir="auto">{name}</strong>
          <RelativeTime time={comment.createdAt} />
          {comment.abilities.delete && (
            <IconButton
              label={`Delete comment by ${name}`}
              tone="danger"
              onPress={({ target }) => {
                // The focused button is removed with its comment, so focus moves to the list.
                target.closest('ul')?.focus();
                setConfirming(true);
              }}
            >
              <Trash2 />
            </IconButton>
          )}
        </By>
        <CommentText>{comment.comment}</CommentText>
      </div>
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => removeComment(taskId, comment._id)}
        title="Delete comment"
        action="Delete comment"
        failure="Failed to delete comment"
      >
        Are you sure you want to delete this comment? This action cannot be undone.
      </ConfirmDialog>
    </Item>
  );
}

const Section = styled.section`
  display: grid;
  align-content: start;
  gap: ${theme.space[3]};
  min-width: 0;
  padding-top: ${theme.space[5]};
  border-top: 1px solid ${theme.color.line};
`;

const List = styled.ul`
  display: grid;
  gap: ${theme.space[3]};
  outline: none;
`;

const Item = styled.li`
  display: grid;
  grid-template-columns: 28px minmax(0, 1fr);
  gap: ${theme.space[3]};
`;

const By = styled.div`
  ${inlineStyles(2)}
  min-height: 28px;
  strong {
    font-weight: 500;
  }
  time {
    flex: 1;
    ${captionStyles}
  }
  button {
    margin: -4px 0;
  }
`;

const CommentText = styled.p`
  white-space: pre-line;
  overflow-wrap: anywhere;
`;

/** The draft stays in the field and on the device until the server has it; navigation is blocked only while sending. */
export function CommentComposer({ taskId }: { taskId: string }) {
  const draftKey = `task:${taskId}:comment`;
  const [content, setContent] = useStoredText(draftKey);
  const { comment } = useTaskActions();
  const add = useIdempotencyKey(draftKey, (text: string, key: string) => comment(taskId, text, key));
  const isEmpty = !hasVisibleText(content);
  const { run, isBusy, failure } = useAction(async () => {
    await add(content);
    setContent((current) => (current === content ? '' : current));
  }, 'Failed to add comment');
  useUnsavedChanges(isBusy);
  const send = () => void (isEmpty || run());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <Box onKeyDown={onKeyDown}>
      <TextArea
        label="Comment"
        isLabelHidden
        placeholder="Write a comment"
        rows={2}
        maxLength={5000}
        value={content}
        isReadOnly={isBusy}
        onChange={setContent}
      />
      <FormFailure failure={failure} />
      <Button variant="primary" isBusy={isBusy} isDisabled={isEmpty} onPress={send}>
        Add Comment
      </Button>
    </Box>
  );
}

const Box = styled.div`
  display: grid;
  gap: ${theme.space[2]};
  justify-items: end;
  > :first-child {
    width: 100%;
  }
`;
